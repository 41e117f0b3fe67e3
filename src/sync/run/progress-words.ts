import { say, type Sentence } from '../../base/sentence.ts';

/** What is counted while a run goes on. */
export type ProgressStep = 'compared' | 'applied' | 'written';

export function stepInWords(step: ProgressStep, done: number, total: number): Sentence {
  switch (step) {
    case 'compared':
      return say`Compared ${done} of ${total} instances`;
    case 'applied':
      return say`Studio has carried out ${done} of ${total} changes`;
    case 'written':
      return say`Made ${done} of ${total} writes to disk`;
  }
}

/** @param restored the side that a restore brings back; `undefined`: it is a sync */
export function comparingInWords(restored: 'disk' | 'studio' | undefined): Sentence {
  switch (restored) {
    case undefined:
      return say`Comparing disk with Studio`;
    case 'disk':
      return say`Comparing disk with what was recorded`;
    case 'studio':
      return say`Comparing Studio with what was recorded`;
  }
}

/** @param shownIn the window that has the review open; `undefined`: none */
export function decidingInWords(shownIn: string | undefined, decided: number, total: number): Sentence {
  const count = say`${decided} of ${total} changes decided`;
  return shownIn === undefined
    ? say`Waiting for a person: the review is open in no window, ${count}. "Atlas: Review Changes" opens it`
    : say`A person has the review open in VS Code (${shownIn}): ${count}`;
}
