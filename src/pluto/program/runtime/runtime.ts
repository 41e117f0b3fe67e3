import type { Blocking, Runtime, Value } from '../backend/contract.ts';
import type { ProgramHost } from '../../ports/program-host.ts';
import { builtinsOver } from './builtins.ts';
import { byteOf } from './values/byte.ts';
import { List, PlutoMap, PlutoSet } from './values/collections.ts';
import { compactInts } from './values/compact-ints.ts';
import { closure, Instance, makeVariant, Range } from './values/data.ts';
import { isEqual } from './values/equality.ts';
import { expectEqual, expectFalse, expectTrue } from './expectations.ts';
import { externsOver } from './externs/externs.ts';
import { caught, fail, raise, runtimeErrors } from './values/failures.ts';
import { makeChannel, type Sender, select } from './fibers/channel.ts';
import type { Fibers } from './fibers/fibers.ts';
import { spawn } from './fibers/task.ts';
import { Element, elementsOf, END, Stream } from './values/loops.ts';
import { limitCollections } from './values/space.ts';
import { stringMethods } from './values/strings.ts';
import { messageOf, textOf } from './values/text-of.ts';
import { wasmOver } from './wasm.ts';
import { wasmExterns } from './wasm-externs.ts';

/** Prototype of the blocking generators of the emitted text. */
const GeneratorObject = Object.getPrototypeOf(function* () {}).prototype as object;
const isGenerator = (value: Value): value is Blocking =>
  typeof value === 'object' && value !== null && Object.prototype.isPrototypeOf.call(GeneratorObject, value);

function* settle(value: Value): Blocking {
  return isGenerator(value) ? yield* value : value;
}

const strings = stringMethods as unknown as Runtime['str'];

/** Lets other fibers run until the time is over or all of them wait. @param ns > 0 */
function sleep(host: ProgramHost, fibers: Fibers, ns: bigint): void {
  const end = host.monotonicNs() + ns;
  while (host.monotonicNs() < end && fibers.wakeNext());
  const left = end - host.monotonicNs();
  if (left > 0n) host.sleep(left);
}

/** Creates the runtime for one run of a program. */
export function createRuntime(host: ProgramHost, fibers: Fibers): Runtime {
  limitCollections(host.heapLimit);
  const singletons = new WeakSet<object>();
  const warn = (line: string): void => host.write('stderr', `${line}\n`);
  const isShared = (value: object): boolean => singletons.has(value);
  const blocking = { isBlocking: true, isShared, warn };
  const extern = externsOver(host, ns => sleep(host, fibers, ns));
  const plain = { isBlocking: false, isShared, warn };
  return {
    eq: isEqual,
    byte: value => byteOf(typeof value === 'number' ? value : Number(BigInt.asUintN(8, value))),
    text: textOf,
    ints: compactInts,
    range: (from, to, isInclusive) => new Range(from, to, isInclusive),
    list: elements => new List(elements),
    map: (entries, hasIntKeys) => new PlutoMap(entries, hasIntKeys),
    set: (elements, isOfInts) => new PlutoSet(elements, isOfInts),
    variant: makeVariant,
    Instance,
    closure,
    shared(instance) {
      singletons.add(instance);
      return instance;
    },
    settle,
    str: strings,
    builtins: builtinsOver(host) as unknown as Runtime['builtins'],
    errorType: (name, fieldNames, intFields) => ({ name, fieldNames, intFields }),
    errors: runtimeErrors,
    raise,
    caught,
    messageOf,
    fail,
    expectEqual,
    expectTrue,
    expectFalse,
    elements: elementsOf,
    END,
    Element,
    stream: generator => new Stream(generator),
    spawn: (captured, body, isBlocking) => spawn(fibers, captured, body, isBlocking ? blocking : plain),
    channel: capacity => makeChannel(capacity, fibers),
    release(senders) {
      for (const sender of senders) (sender as Sender).close();
    },
    select: (arms, hasDefault) => select(fibers, arms, hasDefault),
    wasm: (module, texts, readsBytes, errors, externs) =>
      wasmOver(host, module, texts, readsBytes, errors, wasmExterns(externs, extern)),
    extern,
  };
}
