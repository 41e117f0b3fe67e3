/**
 * The Asyncify build of the package, imported by its path: the package's entry selects the JSPI build on Node 24, in which `pcall` catches
 * nothing. Declares only the members that `luau-wasm.ts` uses.
 */
declare module 'luau-web/src/lib/Luau.Web.Asyncify.js' {
  export interface LuauWebState {
    readonly transactionData: Record<number, unknown>;
    nextTXKey: number;
    [other: string]: unknown;
  }
  export interface LuauWebModule {
    readonly LUA_VALUE: symbol;
    readonly JS_VALUE: symbol;
    readonly JS_MUTABLE: symbol;
    readonly securityTransmitList: Map<unknown, boolean>;
    readonly options: Map<string, boolean>;
    readonly states: LuauWebState[];
    print?(line: string): void;
    printErr?(line: string): void;
    onAbort?(reason: unknown): void;
  }
  export interface LoadedLuauWeb extends LuauWebModule {
    _makeLuaState(stateIndex: number): number;
    /** 0 if the chunk compiled; the function or the error text is then on top of the stack. */
    _luauLoad(state: number, sourceTransaction: number, chunkNameTransaction: number): number;
    /** Does not pop values that no load pushed. Returns the transaction with the value as JSON text. */
    _getLuaValue(state: number, index: number): number;
    _luaUnref(state: number, ref: number): void;
    _luaPcall(state: number, ref: number, transaction: number): number;
    _setreadonly(state: number, ref: number, readonly: number): void;
  }
  export default function instantiate(module: LuauWebModule): Promise<LoadedLuauWeb>;
}
