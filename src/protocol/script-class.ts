/** Script, LocalScript, ModuleScript: the classes whose `Source` is written by people. */
export const isScriptClass = (className: string): boolean =>
  className === 'Script' || className === 'LocalScript' || className === 'ModuleScript';
