/** The plugin's core in one VM over an in-memory place, beside the plainest loops over the same instances in the same VM. */
import { readFile } from 'node:fs/promises';
import type { ReflectionData } from '../../src/core/dom/reflection.ts';
import { bundledFiles } from '../../src/headless-studio/bundled-files.ts';
import { readLuauFolder } from '../../src/headless-studio/luau-folder.ts';
import { reflectionToLuau } from '../../src/headless-studio/reflection-value.ts';
import { type LuauVm, startLuauVm } from '../../src/headless-studio/vm.ts';
import { median, type Row } from './row.ts';

const RUNS = 5;

/** Scripts in folders of a hundred, on both sides; `measure` steps the clock by hand, so that slices are what a frame of Studio runs. */
const WORLD = `
local compareModule = require("@plugin/core/compare")
local applyModule = require("@plugin/core/apply")
local slices = require("@plugin/core/slices")
local studioIds = require("@plugin/core/studio-ids")
local scheduler = require("@headless/task")
local NULL_REF = string.rep("0", 32)
local ground = game:GetService("ReplicatedStorage")
local instances, count = {}, 0
local function describe(class, name, parent, properties)
	count += 1
	local id = string.format("%032x", count)
	instances[id] = { Id = id, Parent = parent, Name = name, ClassName = class, Properties = properties or {}, Children = {},
		Metadata = { ignoreUnknownInstances = true } }
	if instances[parent] then table.insert(instances[parent].Children, id) end
	return id
end
local root = describe("DataModel", "Game", NULL_REF)
local storage = describe("ReplicatedStorage", "ReplicatedStorage", root)
local function get(path)
	if path == "/api/rojo" then
		return { sessionId = "s", protocolVersion = 6, serverFork = "atlas", projectName = "p", rootInstanceId = root }
	end
	return { sessionId = "s", messageCursor = 1, instances = instances }
end
local function measure(work)
	local isDone, problem, longest, total = false, nil, 0, 0
	local function timed(piece)
		local before = os.clock()
		piece()
		local took = os.clock() - before
		longest = math.max(longest, took)
		total += took
	end
	timed(function()
		task.spawn(function()
			local ok, raised = pcall(work)
			isDone, problem = true, if ok then nil else raised
		end)
	end)
	while not isDone do
		timed(function() scheduler.step(scheduler.now() + 1 / 60) end)
	end
	if problem then error(problem, 0) end
	return total, longest
end
local function compare()
	local comparison, compared, failure
	local total, longest = measure(function()
		comparison, compared, failure = compareModule.compare({ compareId = "c", overrides = {}, get = get, ids = studioIds.new(),
			job = slices.newJob() })
	end)
	if failure then error(failure.message, 0) end
	return comparison, compared, total, longest
end
`;

const COMPARE = `${WORLD}
for folder = 1, args[1] // 100 do
	local id = describe("Folder", "Folder" .. folder, storage)
	local live = Instance.new("Folder")
	live.Name = "Folder" .. folder
	for index = 1, 99 do
		local source = "return " .. folder * index
		describe("ModuleScript", "Script" .. index, id, { Source = { String = source } })
		local module = Instance.new("ModuleScript")
		module.Name = "Script" .. index
		module.Source = source
		module.Parent = live
	end
	live.Parent = ground
end
local function walk(instance)
	local seen = if instance.Name ~= "" and instance.ClassName ~= "" then 1 else 0
	for _, child in instance:GetChildren() do seen += walk(child) end
	return seen
end
local rows = {}
for _ = 1, args[2] do
	local before = os.clock()
	walk(ground)
	local walked = os.clock() - before
	local _, compared, total, longest = compare()
	if #compared.changes ~= 0 then error("something differs", 0) end
	table.insert(rows, { walked * 1000, total * 1000, longest * 1000 })
end
return rows`;

const APPLY = `${WORLD}
local parts = {}
for index = 1, args[1] do
	describe("Part", "Part" .. index, storage, { Anchored = { Bool = true } })
	local part = Instance.new("Part")
	part.Name = "Part" .. index
	part.Parent = ground
	table.insert(parts, part)
end
local rows = {}
for _ = 1, args[2] do
	for _, part in parts do part.Anchored = false end
	local before = os.clock()
	for _, part in parts do part.Anchored = true end
	local plain = os.clock() - before
	for _, part in parts do part.Anchored = false end
	local comparison, compared = compare()
	local decisions = {}
	for _, change in compared.changes do table.insert(decisions, { id = change.id, direction = "push" }) end
	if #decisions ~= args[1] then error("not every part differs", 0) end
	local total, longest = measure(function() applyModule.apply(comparison, "run", decisions, slices.newJob()) end)
	for _, part in parts do if not part.Anchored then error("not applied", 0) end end
	table.insert(rows, { plain * 1000, total * 1000, longest * 1000 })
end
return rows`;

interface Measured {
  readonly ratio: number;
  readonly plainMs: number;
  readonly ms: number;
  readonly longestMs: number;
}

/** One VM at a time: what it holds is not given back before it is gone. */
async function measure(chunk: string, instances: number): Promise<Measured> {
  const vm = await startVm();
  const [raw] = vm.run(chunk, 'bench', instances, RUNS);
  // The chunk above answers rows of three numbers.
  const rows = raw as unknown as readonly (readonly [number, number, number])[];
  return {
    ratio: median(rows.map(([plain, total]) => total / plain)),
    plainMs: median(rows.map(([plain]) => plain)),
    ms: median(rows.map(([, total]) => total)),
    longestMs: median(rows.map(([, , longest]) => longest)),
  };
}

async function startVm(): Promise<LuauVm> {
  const { luauFolders, reflectionFile } = bundledFiles();
  const vm = await startLuauVm(
    new Map([
      ...(await readLuauFolder(luauFolders.headless, 'headless')),
      ...(await readLuauFolder(luauFolders.plugin, 'plugin')),
    ]),
  );
  // Generated by our own script together with this type.
  const data = JSON.parse(await readFile(reflectionFile, 'utf8')) as ReflectionData;
  vm.call('headless/host', 'start', reflectionToLuau(data), 'Bench');
  return vm;
}

/** Compare and apply, as ratios in one VM, and the longest slice of each. */
export async function studioPlugin(): Promise<readonly Row[]> {
  const small = await measure(COMPARE, 5_000);
  const large = await measure(COMPARE, 50_000);
  const edits = await measure(APPLY, 5_000);
  const beside = ({ ms, plainMs }: Measured): string => `${ms.toFixed(0)} ms beside ${plainMs.toFixed(1)} ms`;
  const row = (name: string, value: number, most: number, detail: string, unit: Row['unit'] = 'ratio'): Row => ({
    name,
    unit,
    value,
    runs: RUNS,
    most,
    detail,
  });
  return [
    row('compare 50,000 instances, nothing changed', large.ratio, 10, `${beside(large)} for a plain walk`),
    row('the same against 5,000', large.ratio / small.ratio, 1.2, `${beside(small)} for a plain walk`),
    row('apply 5,000 property edits', edits.ratio, 4, `${beside(edits)} for a plain loop`),
    row('longest slice of a compare', large.longestMs, 8, 'of 50,000 instances', 'ms'),
    row('longest slice of an apply', edits.longestMs, 8, 'of 5,000 edits', 'ms'),
  ];
}
