/** A pairing code that a person sees until this is disposed. */
export interface ShownCode extends Disposable {
  /** Resolves if the person refuses the pairing. */
  readonly refused: Promise<void>;
}

/** Shows pairing codes to a person. */
export interface PairingCodes {
  /** @param code six digits, to be typed into Studio's window */
  show(code: string): ShownCode;
  /** Reports the end of a pairing whose code was shown. @param reason why the Studio was not paired; `undefined` if it was */
  ended(reason: string | undefined): void;
}
