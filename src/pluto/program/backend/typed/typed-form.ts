import type { ClassType, EnumType, TraitSymbol, Type } from '../../../language/check/types/type.ts';
import type { ArithmeticOp, BinaryExpr } from '../../../language/syntax/ast/code.ts';
import type { IntRange } from './int-range.ts';

// --- Programs ---

/**
 * A whole program, ready for an emitter: every declaration that is reachable from its start, once for each list of type arguments. Emitters read
 * nothing else; names, types, callees and messages are all here.
 */
export interface TypedProgram {
  readonly functions: readonly TypedFunction[];
  /** The app is one of them. */
  readonly classes: readonly TypedClass[];
  readonly variants: readonly TypedVariant[];
  readonly enums: readonly TypedEnum[];
  readonly errors: readonly TypedError[];
  readonly externs: readonly TypedExtern[];
  readonly singletons: readonly TypedSingleton[];
  readonly entry: TypedEntry | undefined;
  readonly tests: readonly TypedTest[];
  readonly scheduler: string;
  /** Paths by the indices of places. */
  readonly files: readonly string[];
  /** Whether it starts tasks, which copy what they capture. */
  readonly hasTasks: boolean;
}

/** Where a program starts: a function, or the method `main` of an app. */
export type TypedEntry =
  | { readonly kind: 'function'; readonly function: TypedFunction }
  | { readonly kind: 'app'; readonly app: TypedValue; readonly main: TypedMethod };

export interface TypedTest {
  readonly title: string;
  readonly body: TypedFunction;
}

/** The code of a function or a method. */
export interface TypedBody {
  readonly params: readonly Variable[];
  readonly result: Type;
  /** Checked when it is called; a call of a generator checks them too. */
  readonly checks: readonly TypedCheck[];
  readonly block: TypedBlock;
  /** Variables whose values a call gives too. Only an `OutcomeStmt` calls a function with outputs. */
  readonly outputs?: readonly Variable[];
}

/** A condition of a contract, or a call of the function that checks the contract of a trait. */
export type TypedCheck = CheckStmt | { readonly kind: 'contract'; readonly contract: TypedFunction };

/** A function for one list of type arguments. */
export interface TypedFunction {
  readonly name: string;
  /** Where it is declared. */
  readonly path: string;
  readonly line: number;
  /** The class of an additional first parameter: that of the object whose method has a contract of a trait. */
  readonly self: TypedClass | undefined;
  readonly body: TypedBody;
}

/** A method of one class, with its own code even if a trait declares it. */
export interface TypedMethod {
  readonly name: string;
  readonly owner: TypedClass;
  readonly isMut: boolean;
  readonly body: TypedBody;
}

/** A class for one list of type arguments. */
export interface TypedClass {
  readonly name: string;
  /** `undefined` for an app. */
  readonly type: ClassType | undefined;
  readonly path: string;
  readonly line: number;
  /** In the order in which objects get them. */
  readonly fields: readonly { readonly name: string; readonly type: Type }[];
  readonly methods: ReadonlyMap<string, TypedMethod>;
  readonly invariants: readonly CheckStmt[];
  readonly traits: readonly TraitSymbol[];
}

export interface TypedVariant {
  readonly enumName: string;
  readonly name: string;
  readonly tag: number;
  readonly fields: readonly string[];
}

/** An enum for one list of type arguments, of which the program makes values. */
export interface TypedEnum {
  readonly name: string;
  /** Where it is declared. */
  readonly path: string;
  readonly type: EnumType;
  /** The names of the variants, by tags. */
  readonly names: readonly string[];
  /** The types of the fields of each variant, by tags. */
  readonly variants: readonly (readonly Type[])[];
}

export interface TypedError {
  readonly name: string;
  readonly path: string;
  readonly line: number;
  readonly fields: readonly { readonly name: string; readonly type: Type }[];
  /** Whether the runtime raises errors of this name too. */
  readonly isRaisedByRuntime: boolean;
}

export interface TypedExtern {
  readonly name: string;
  readonly params: readonly Type[];
  readonly result: Type;
  /** In source syntax, `''` for none. */
  readonly resultText: string;
}

/** The only instance of a class. */
export interface TypedSingleton {
  readonly name: string;
  readonly value: TypedValue;
}

// --- Code ---

/** A line of a module; the standard library has no places. */
export interface Place {
  /** Index into `TypedProgram.files`. */
  readonly file: number;
  /** 1-based. */
  readonly line: number;
}

interface RangedNode {
  /** The bounds of an int that is always a number; `undefined` for any other value. `findRanges` sets it. */
  range: IntRange | undefined;
}

/** A variable, parameter or binding of one function. Its name is unique in the scopes around it. */
export interface Variable extends RangedNode {
  readonly name: string;
  readonly type: Type;
  /** Whether code other than its declaration assigns to it. */
  isAssigned: boolean;
}

export type BinaryOp = BinaryExpr['op'];

// --- Values ---

interface ValueOf<Kind extends string> {
  readonly kind: Kind;
  /** Without type parameters. */
  readonly type: Type;
}

export interface IntValue extends ValueOf<'int'> {
  readonly value: bigint;
}
export interface FloatValue extends ValueOf<'float'> {
  readonly value: number;
}
export interface BoolValue extends ValueOf<'bool'> {
  readonly value: boolean;
}
export interface NoneValue extends ValueOf<'none'> {}
export interface StringValue extends ValueOf<'string'> {
  readonly value: string;
}
/** `f"…"`: texts, and values that become texts. */
export interface Interpolation extends ValueOf<'interpolation'> {
  readonly pieces: readonly (string | TypedValue)[];
}
export interface VariableUse extends ValueOf<'variable'> {
  readonly variable: Variable;
}
/** The object of a method. */
export interface SelfUse extends ValueOf<'self'> {}
export interface FieldUse extends ValueOf<'field'>, RangedNode {
  readonly object: TypedValue;
  readonly name: string;
}
export interface ErrorField extends ValueOf<'error-field'> {
  readonly object: TypedValue;
  readonly index: number;
}
/** The message of any error. */
export interface ErrorMessage extends ValueOf<'error-message'> {
  readonly object: TypedValue;
}
export interface ListValue extends ValueOf<'list'> {
  readonly elements: readonly TypedValue[];
}
export interface MapValue extends ValueOf<'map'> {
  readonly entries: readonly (readonly [key: TypedValue, value: TypedValue])[];
}
export interface SetValue extends ValueOf<'set'> {
  readonly elements: readonly TypedValue[];
}
/** A field of a literal; literals list their fields in the order of evaluation. */
export interface FieldInit {
  /** In the order of the declaration. */
  readonly index: number;
  readonly value: TypedValue;
}
/** A new object. Injected fields have values too. */
export interface ObjectValue extends ValueOf<'object'> {
  readonly of: TypedClass;
  readonly fields: readonly FieldInit[];
  /** Whether a literal of the program makes it. Invariants of objects that injection makes are not checked. */
  readonly isChecked: boolean;
}
export interface VariantValue extends ValueOf<'variant'> {
  readonly of: TypedVariant;
  readonly fields: readonly FieldInit[];
}
export interface SingletonUse extends ValueOf<'singleton'> {
  readonly of: TypedSingleton;
}
/** The empty value of a type. Injected objects have it in their other fields. */
export interface EmptyValue extends ValueOf<'empty'> {}
export interface ClosureValue extends ValueOf<'closure'> {
  readonly params: readonly Variable[];
  readonly result: Type;
  readonly body: TypedBlock;
  readonly captured: Captured;
  /** The captured variables that it assigns to. */
  readonly assigned: ReadonlySet<Variable>;
}
/** The variables of the enclosing code, and `self`, that a closure or a task uses. */
export interface Captured {
  readonly variables: readonly Variable[];
  readonly hasSelf: boolean;
}
export interface SpawnValue extends ValueOf<'spawn'> {
  readonly call: TypedValue;
  readonly captured: Captured;
}
export interface IfValue extends ValueOf<'if-value'> {
  readonly condition: TypedValue;
  /** The last statement has the value. */
  readonly body: TypedBlock;
  readonly otherwise: TypedBlock | IfValue;
}
export interface MatchValue extends ValueOf<'match-value'> {
  readonly subject: TypedValue;
  readonly arms: readonly (MatchPattern & { readonly value: TypedValue; readonly place: Place | undefined })[];
}
export interface MatchPattern {
  /** Index of the variant. */
  readonly tag: number;
  readonly bindings: readonly { readonly variable: Variable; readonly index: number }[];
}
/** `value?`: returns `none` from the function if the value is `none`. */
export interface NoneExit extends ValueOf<'none-exit'> {
  readonly operand: TypedValue;
}
export interface CatchValue extends ValueOf<'catch'> {
  readonly operand: TypedValue;
  readonly handlers: readonly TypedHandler[];
}
export interface TypedHandler {
  /** `undefined` for any error. */
  readonly error: TypedError | undefined;
  /** `undefined` for `catch value`. */
  readonly variable: Variable | undefined;
  /** The last statement has the value. */
  readonly body: TypedBlock;
}
export interface CastValue extends ValueOf<'cast'> {
  readonly operand: TypedValue;
}
export interface UnaryValue extends ValueOf<'unary'> {
  readonly op: '-' | '!' | '~';
  readonly operand: TypedValue;
}
export interface BinaryValue extends ValueOf<'binary'> {
  readonly op: BinaryOp;
  readonly left: TypedValue;
  readonly right: TypedValue;
}
export interface RangeValue extends ValueOf<'range'> {
  readonly from: TypedValue;
  readonly to: TypedValue;
  readonly isInclusive: boolean;
}
export interface IndexValue extends ValueOf<'index'> {
  readonly object: TypedValue;
  readonly index: TypedValue;
}

// --- Calls ---

export interface FunctionCall extends ValueOf<'call'>, RangedNode {
  readonly callee: TypedFunction;
  readonly args: readonly TypedValue[];
}
export interface ExternCall extends ValueOf<'call-extern'> {
  readonly callee: TypedExtern;
  readonly args: readonly TypedValue[];
}
export interface BuiltinCall extends ValueOf<'call-builtin'> {
  readonly name: string;
  readonly args: readonly TypedValue[];
}
/** A call of a function in a variable. */
export interface ClosureCall extends ValueOf<'call-closure'>, RangedNode {
  readonly variable: Variable;
  readonly args: readonly TypedValue[];
}
/** A call of a method of an object. */
export interface MethodCall extends ValueOf<'call-method'>, RangedNode {
  readonly receiver: TypedValue;
  readonly name: string;
  readonly args: readonly TypedValue[];
  readonly isMut: boolean;
  /** The methods that it can run, complete when the whole program is built. */
  readonly targets: readonly TypedMethod[];
}
/** A call of a method of a string, list, map, set, channel, … */
export interface BuiltinMethodCall extends ValueOf<'call-builtin-method'> {
  readonly receiver: TypedValue;
  readonly name: string;
  readonly args: readonly TypedValue[];
}
/** `expect(value).to_equal(other)` */
export interface Expectation extends ValueOf<'expect'> {
  readonly name: string;
  /** The value, and the one that it is compared with. */
  readonly args: readonly TypedValue[];
  readonly line: number;
}

export type TypedCall =
  | FunctionCall
  | ExternCall
  | BuiltinCall
  | ClosureCall
  | MethodCall
  | BuiltinMethodCall
  | Expectation;

export type TypedValue =
  | IntValue
  | FloatValue
  | BoolValue
  | NoneValue
  | StringValue
  | Interpolation
  | VariableUse
  | SelfUse
  | FieldUse
  | ErrorField
  | ErrorMessage
  | ListValue
  | MapValue
  | SetValue
  | ObjectValue
  | VariantValue
  | SingletonUse
  | EmptyValue
  | ClosureValue
  | SpawnValue
  | IfValue
  | MatchValue
  | NoneExit
  | CatchValue
  | CastValue
  | UnaryValue
  | BinaryValue
  | RangeValue
  | IndexValue
  | TypedCall;

// --- Statements ---

export type TypedBlock = readonly TypedStmt[];

interface StmtOf<Kind extends string> {
  readonly kind: Kind;
  readonly place: Place | undefined;
}

export interface LetStmt extends StmtOf<'let'> {
  readonly variable: Variable;
  readonly value: TypedValue;
}
export interface ChannelStmt extends StmtOf<'channel'> {
  readonly sender: Variable;
  readonly receiver: Variable;
  readonly capacity: TypedValue | undefined;
}
export interface ReturnStmt extends StmtOf<'return'> {
  readonly value: TypedValue | undefined;
}
export interface YieldStmt extends StmtOf<'yield'> {
  readonly value: TypedValue;
}
export interface IfStmt extends StmtOf<'if'> {
  readonly condition: TypedValue;
  readonly body: TypedBlock;
  readonly otherwise: TypedBlock | IfStmt | undefined;
}
export interface WhileStmt extends StmtOf<'while'> {
  readonly condition: TypedValue;
  readonly body: TypedBlock;
}
/** A loop over ints. */
export interface CountStmt extends StmtOf<'count'> {
  readonly variable: Variable;
  readonly from: TypedValue;
  readonly to: TypedValue;
  readonly isInclusive: boolean;
  readonly body: TypedBlock;
}
/** A loop over the elements of a value. */
export interface EachStmt extends StmtOf<'each'> {
  readonly variable: Variable;
  readonly iterable: TypedValue;
  readonly body: TypedBlock;
}
export interface MatchStmt extends StmtOf<'match'> {
  readonly subject: TypedValue;
  readonly arms: readonly (MatchPattern & { readonly body: TypedBlock })[];
}
export interface SelectStmt extends StmtOf<'select'> {
  readonly arms: readonly SelectArm[];
}
export interface SelectArm {
  /** `undefined` for the default. */
  readonly channel: TypedValue | undefined;
  /** The value to send. */
  readonly sent: TypedValue | undefined;
  /** The variable for the received value. */
  readonly received: Variable | undefined;
  readonly body: TypedBlock;
}
/** A separate scope with statements. */
export interface ScopeStmt extends StmtOf<'scope'> {
  readonly body: TypedBlock;
}
export interface RaiseStmt extends StmtOf<'raise'> {
  readonly error: TypedError;
  readonly fields: readonly FieldInit[];
}
/** Ends the program with a message unless a condition is true. */
export interface CheckStmt extends StmtOf<'check'> {
  readonly condition: TypedValue;
  readonly message: string;
}
export interface BreakStmt extends StmtOf<'break'> {}
export interface ContinueStmt extends StmtOf<'continue'> {}
/** With an operator, the target is read first, and parts of it are evaluated twice. */
export interface AssignStmt extends StmtOf<'assign'> {
  readonly target: VariableUse | FieldUse | ErrorField | IndexValue;
  readonly op: ArithmeticOp | undefined;
  readonly value: TypedValue;
}
/** A call of a function with outputs. */
export interface OutcomeStmt extends StmtOf<'outcome'> {
  readonly call: FunctionCall;
  /** Gets the result; `undefined` if there is none. */
  readonly result: Variable | undefined;
  /** The variables that get the outputs, in their order. */
  readonly outputs: readonly Variable[];
  /** The variables that the statement declares. */
  readonly declared: readonly Variable[];
}
export interface ValueStmt extends StmtOf<'value'> {
  readonly value: TypedValue;
}

export type TypedStmt =
  | LetStmt
  | ChannelStmt
  | ReturnStmt
  | YieldStmt
  | IfStmt
  | WhileStmt
  | CountStmt
  | EachStmt
  | MatchStmt
  | SelectStmt
  | ScopeStmt
  | RaiseStmt
  | CheckStmt
  | BreakStmt
  | ContinueStmt
  | AssignStmt
  | OutcomeStmt
  | ValueStmt;
