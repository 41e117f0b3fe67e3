import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { reflection } from '../../harness/reflection.ts';
import { startTestStudio, type TestStudio } from '../../harness/luau-vm.ts';

// The expectations come from the reflection data, not from what the Studio plugin uses.

let studio: TestStudio;
before(async () => {
  studio = await startTestStudio();
});

const classes = reflection.classNames();
const creatable = classes.filter(name => reflection.isCreatable(name) && !reflection.isService(name));
/** Every property of every creatable class, under its canonical name. */
const propertiesOf = (className: string): readonly string[] =>
  Array.from(reflection.defaultNames(className)).filter(
    name => reflection.property(className, name)?.canonicalName === name,
  );

test('creates instances of every creatable class, and of no other', () => {
  assert.ok(creatable.length > 300);
  const [made] = studio.run(
    `local made = {}
    for _, name in args[1] do
      local ok, instance = pcall(Instance.new, name)
      if ok and instance.ClassName == name then table.insert(made, name) end
    end
    return made`,
    classes,
  );
  assert.deepEqual(made, creatable);
});

test('returns the same service at each call, and refuses other classes', async () => {
  const services = classes.filter(name => reflection.isService(name));
  assert.ok(services.length > 100);
  const own = await startTestStudio();
  const [got, refused] = own.run(
    `local got, refused = {}, {}
    for _, name in args[1] do
      local ok, service = pcall(game.GetService, game, name)
      if ok and service == game:GetService(name) and service == game:FindService(name) and service.Parent == game
        and not pcall(Instance.new, name) and not pcall(service.Destroy, service) then
        table.insert(got, service.ClassName)
      elseif not ok then
        table.insert(refused, name)
      end
    end
    return got, refused`,
    classes,
  );
  assert.deepEqual(got, services);
  assert.equal((refused as unknown as string[]).length, classes.length - services.length);
});

test('follows the superclasses in IsA', () => {
  const asked = ['Instance', 'BasePart', 'GuiObject', 'LuaSourceContainer', 'Constraint', 'ValueBase'];
  const [answers] = studio.run(
    `local answers = {}
    for _, name in args[1] do
      local instance = Instance.new(name)
      local row = {}
      for _, class in args[2] do table.insert(row, instance:IsA(class)) end
      answers[name] = row
    end
    return answers`,
    creatable,
    asked,
  );
  const expected = Object.fromEntries(creatable.map(name => [name, asked.map(above => reflection.isA(name, above))]));
  assert.deepEqual(answers, expected);
});

test('has the default of every readable property in a new instance, and refuses the others', () => {
  const readable: Record<string, string[]> = {};
  const unreadable: Record<string, string[]> = {};
  for (const className of creatable)
    for (const name of propertiesOf(className)) {
      const { scriptability } = reflection.property(className, name)!;
      if (scriptability === 'Custom') continue;
      const list = scriptability === 'None' ? unreadable : readable;
      (list[className] ??= []).push(name);
    }
  const [problems, checked] = studio.run(
    `local problems, checked = {}, 0
    for className, names in args[1] do
      local instance = Instance.new(className)
      for _, name in names do
        checked += 1
        local ok, value = pcall(function() return instance[name] end)
        if not ok then table.insert(problems, className .. "." .. name .. ": " .. value) end
      end
    end
    for className, names in args[2] do
      local instance = Instance.new(className)
      for _, name in names do
        checked += 1
        local ok, problem = pcall(function() return instance[name] end)
        if ok or not string.find(problem, name .. " is not a valid member of " .. className, 1, true) then
          table.insert(problems, className .. "." .. name .. " can be read")
        end
      end
    end
    return problems, checked`,
    readable,
    unreadable,
  );
  assert.deepEqual(problems, []);
  assert.ok(Number(checked) > 5_000);
});

test('has the plain defaults of the reflection data', () => {
  const expected: Record<string, Record<string, boolean | number | string>> = {};
  for (const className of creatable)
    for (const name of propertiesOf(className)) {
      const variant = reflection.defaultOf(className, name);
      const property = reflection.property(className, name)!;
      if (variant === undefined || property.scriptability !== 'ReadWrite') continue;
      if (property.serialization.kind === 'migrates') continue;
      if (
        variant.type === 'Bool' ||
        variant.type === 'Float64' ||
        variant.type === 'String' ||
        variant.type === 'Int32'
      )
        (expected[className] ??= {})[name] = variant.value;
      if (variant.type === 'Float32') (expected[className] ??= {})[name] = Math.fround(variant.value);
      if (variant.type === 'Enum' && typeof property.type === 'object')
        (expected[className] ??= {})[name] =
          `Enum.${property.type.enum}.${reflection.enumItemName(property.type.enum, variant.value)}`;
    }
  const [problems] = studio.run(
    `local problems = {}
    for className, values in args[1] do
      local instance = Instance.new(className)
      for name, expected in values do
        local value = instance[name]
        if typeof(value) == "EnumItem" then value = tostring(value) end
        if value ~= expected and value == value then
          table.insert(problems, className .. "." .. name .. " is " .. tostring(value) .. ", not " .. tostring(expected))
        end
      end
    end
    return problems`,
    expected,
  );
  assert.deepEqual(problems, []);
});

test('accepts the current value of a property, and refuses to set a read-only one', () => {
  const writable: Record<string, string[]> = {};
  const readOnly: Record<string, string[]> = {};
  for (const className of creatable)
    for (const name of propertiesOf(className)) {
      const { scriptability } = reflection.property(className, name)!;
      if (scriptability === 'ReadWrite') (writable[className] ??= []).push(name);
      if (scriptability === 'Read') (readOnly[className] ??= []).push(name);
    }
  const [problems] = studio.run(
    `local problems = {}
    for className, names in args[1] do
      local instance = Instance.new(className)
      for _, name in names do
        local before = instance[name]
        local ok, problem = pcall(function() instance[name] = before end)
        if not ok then table.insert(problems, problem) end
        if instance[name] ~= before and before == before then table.insert(problems, className .. "." .. name .. " changed") end
      end
    end
    for className, names in args[2] do
      local instance = Instance.new(className)
      for _, name in names do
        local ok, problem = pcall(function() instance[name] = instance[name] end)
        if ok or not string.find(problem, "Property is read only", 1, true) then
          table.insert(problems, className .. "." .. name .. " could be set")
        end
      end
    end
    return problems`,
    writable,
    readOnly,
  );
  assert.deepEqual(problems, []);
});

test('has every enum item by name and by number', () => {
  const [items] = studio.run(`local all = {}
    for _, enum in Enum:GetEnums() do
      local numbers = {}
      for _, item in enum:GetEnumItems() do
        numbers[item.Name] = item.Value
        assert(enum[item.Name] == item and enum:FromValue(item.Value) == item and item.EnumType == enum)
      end
      all[tostring(enum)] = numbers
    end
    return all`);
  const material = Object.fromEntries(reflection.enumItems('Material'));
  assert.deepEqual((items as unknown as Record<string, unknown>)['Material'], material);
  assert.match(studio.failure('return Enum.Material.Cheese'), /Cheese is not a valid member of "Enum.Material"/);
  assert.match(studio.failure('return Enum.Cheese'), /Cheese is not a valid member of "Enum"/);
});

test('refuses values of the wrong type with the message of the engine', () => {
  assert.match(
    studio.failure('Instance.new("Part").Size = "big"'),
    /Unable to assign property Size\. Vector3 expected, got string/,
  );
  assert.match(studio.failure('Instance.new("Part").Anchored = 1'), /Anchored\. boolean expected, got number/);
  assert.match(
    studio.failure('Instance.new("Part").Material = Enum.KeyCode.A'),
    /Material\. EnumItem of type Material expected, got EnumItem/,
  );
  assert.match(studio.failure('Instance.new("Part").ClassName = "Model"'), /ClassName\. Property is read only/);
  assert.match(studio.failure('workspace.Nothing = 1'), /Nothing is not a valid member of Workspace "Workspace"/);
  assert.match(studio.failure('return game:GetService("Nonsense")'), /'Nonsense' is not a valid Service name/);
});

test('converts numbers to the type of the property', () => {
  assert.deepEqual(
    studio.run(`local part, int = Instance.new("Part"), Instance.new("IntValue")
    part.Transparency = 0.1
    int.Value = 2.9
    part.Material = "Wood"
    return part.Transparency, int.Value, part.Material.Name`),
    [Math.fround(0.1), 2, 'Wood'],
  );
});

test('reads and writes a property through its aliases and derived properties', () => {
  assert.deepEqual(
    studio.run(`local part, decal, script = Instance.new("Part"), Instance.new("Decal"), Instance.new("Script")
    part.Position = Vector3.new(1, 2, 3)
    part.Orientation = Vector3.new(0, 90, 0)
    part.BrickColor = BrickColor.new("Bright red")
    part.archivable = false
    decal.Texture = "rbxassetid://7"
    script.Enabled = false
    return tostring(part.CFrame.Position), math.round(part.Orientation.Y), part.Color:ToHex(), part.Archivable,
      decal.TextureContent.Uri, decal.Texture, script.Disabled`),
    ['1, 2, 3', 90, 'c4281c', false, 'rbxassetid://7', 'rbxassetid://7', true],
  );
});

test('sets all four corners of a UICorner by its radius', () => {
  assert.deepEqual(
    studio.run(`local corner = Instance.new("UICorner")
    corner.CornerRadius = UDim.new(0, 10)
    return tostring(corner.CornerRadius), tostring(corner.BottomRightRadius)`),
    ['0, 10', '0, 10'],
  );
});
