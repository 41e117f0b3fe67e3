/** A code on the screen, until it is disposed. */
export interface ShownCode extends Disposable {
  /** Resolves if the person refuses the pairing. */
  readonly refused: Promise<void>;
}

/** Shows the codes of pairing to a person. */
export interface PairingCodes {
  /** @param code six digits, to be typed into Studio's window */
  show(code: string): ShownCode;
  /** Reports the end of a pairing whose code was shown. @param reason why the Studio was not paired; `undefined` if it was */
  ended(reason: string | undefined): void;
}
