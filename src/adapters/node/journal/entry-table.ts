import { keyOf, RowTable } from './row-table.ts';

/** The position of a frame: the number of its segment, and its byte offset there. */
export interface RowPosition {
  readonly number: number;
  readonly offset: number;
}

/** The positions of an entry. */
export interface EntryRow extends RowPosition {
  /** Byte offset of the entry: its blobs precede its record, which is at `offset`. */
  readonly start: number;
  readonly notes: readonly RowPosition[];
  readonly ending: RowPosition | undefined;
}

const NUMBER = 0;
const RECORD = 1;
const START = 2;
/** The segment of the ending plus one; 0 without an ending. */
const ENDING_NUMBER = 3;
const ENDING = 4;
/** The newest note, as its row plus one. */
const NOTE = 5;
/** The previous entry of the run, as its row plus one. */
const OLDER = 6;

/** The entries of a journal, in the order in which they were added. Their ids and runs are in their records. */
export class EntryTable {
  #entries = new RowTable(7);
  /** The newest entry of each run, as its row. */
  #runs = new RowTable(1);
  /** The segment and offset of each note, and the previous note of the entry, as its row plus one. */
  #notes = new RowTable(3);

  has(id: string): boolean {
    return this.#entries.find(keyOf(id)) !== undefined;
  }

  /** Newest first. */
  *entries(): Generator<EntryRow> {
    for (let row = this.#entries.size - 1; row >= 0; row -= 1) yield this.#at(row);
  }

  /** The numbers of the segments that have entries without an ending. Creates no objects for entries, because every run calls this. */
  openSegments(): ReadonlySet<number> {
    const found = new Set<number>();
    for (let row = 0; row < this.#entries.size; row += 1)
      if (this.#entries.at(row, ENDING_NUMBER) === 0) found.add(this.#entries.at(row, NUMBER));
    return found;
  }

  /** Newest first. */
  *entriesOf(runId: string): Generator<EntryRow> {
    const run = this.#runs.find(keyOf(runId));
    for (let next = run === undefined ? 0 : this.#runs.at(run, 0) + 1; next > 0;) {
      yield this.#at(next - 1);
      next = this.#entries.at(next - 1, OLDER);
    }
  }

  add(id: string, runId: string, { number, offset, start }: Pick<EntryRow, 'number' | 'offset' | 'start'>): void {
    this.#add(keyOf(id), keyOf(runId), [number, offset, start, 0, 0]);
  }

  /** Adds to an entry. Returns the number of its segment; `undefined` if there is no such entry. */
  addPart(kind: 'note' | 'ending', id: string, { number, offset }: RowPosition): number | undefined {
    const row = this.#entries.find(keyOf(id));
    if (row === undefined) return undefined;
    if (kind === 'ending') {
      this.#entries.write(row, ENDING_NUMBER, number + 1);
      this.#entries.write(row, ENDING, offset);
    } else this.#addNote(row, number, offset);
    return this.#entries.at(row, NUMBER);
  }

  /** Forgets the entries of other segments. */
  keepSegments(numbers: ReadonlySet<number>): void {
    const [entries, runs, notes] = [this.#entries, this.#runs, this.#notes];
    const runOf = runKeys(entries, runs);
    this.#entries = new RowTable(7);
    this.#runs = new RowTable(1);
    this.#notes = new RowTable(3);
    for (let row = 0; row < entries.size; row += 1) {
      if (!numbers.has(entries.at(row, NUMBER))) continue;
      const values = [NUMBER, RECORD, START, ENDING_NUMBER, ENDING].map(column => entries.at(row, column));
      const added = this.#add(entries.keyAt(row), runOf[row] ?? 0, values);
      for (const { number, offset } of notesOf(entries, notes, row)) this.#addNote(added, number, offset);
    }
  }

  #add(idKey: number, runKey: number, values: readonly number[]): number {
    const run = this.#runs.find(runKey);
    const older = run === undefined ? 0 : this.#runs.at(run, 0) + 1;
    const row = this.#entries.put(idKey, ...values, 0, older);
    this.#runs.put(runKey, row);
    return row;
  }

  #addNote(entry: number, number: number, offset: number): void {
    const note = this.#notes.put(this.#notes.size, number, offset, this.#entries.at(entry, NOTE));
    this.#entries.write(entry, NOTE, note + 1);
  }

  #at(row: number): EntryRow {
    const at = (column: number): number => this.#entries.at(row, column);
    const ending = at(ENDING_NUMBER) === 0 ? undefined : { number: at(ENDING_NUMBER) - 1, offset: at(ENDING) };
    const notes = notesOf(this.#entries, this.#notes, row);
    return { number: at(NUMBER), offset: at(RECORD), start: at(START), notes, ending };
  }
}

/** Oldest first. */
function notesOf(entries: RowTable, notes: RowTable, entry: number): readonly RowPosition[] {
  const found: RowPosition[] = [];
  for (let next = entries.at(entry, NOTE); next > 0; next = notes.at(next - 1, 2))
    found.push({ number: notes.at(next - 1, 0), offset: notes.at(next - 1, 1) });
  return found.toReversed();
}

/** The key of the run of each entry. */
function runKeys(entries: RowTable, runs: RowTable): Float64Array {
  const keys = new Float64Array(entries.size);
  for (let run = 0; run < runs.size; run += 1)
    for (let next = runs.at(run, 0) + 1; next > 0; next = entries.at(next - 1, OLDER)) keys[next - 1] = runs.keyAt(run);
  return keys;
}
