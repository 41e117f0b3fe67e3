declare const brand: unique symbol;

/** Distinguishes strings of different meaning at compile time; costs nothing at run time. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };

/** Server-side instance id: 32 lower-case hex digits. */
export type Ref = Brand<string, 'Ref'>;

/** A path relative to the project folder: `/` as the separator on every platform, no `.` or `..` segments, `''` for the folder itself. */
export type ProjectPath = Brand<string, 'ProjectPath'>;
