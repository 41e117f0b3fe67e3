import type { Form, FormAnswer } from '../../review/decide-with-forms.ts';
import { fit, wrap } from './screen-text.ts';
import type { Key } from './terminal.ts';
import { safeTerminalLine } from '../../base/safe-text.ts';

/** A form in a terminal, for a review of another program's bridge: its fields with numbered options. */
export class FormScreen {
  readonly #form: Form;
  readonly #values = new Map<string, string>();
  #active = 0;
  #note = '';

  constructor(form: Form) {
    this.#form = form;
    for (const [name, field] of this.#fields()) if (field.default !== undefined) this.#values.set(name, field.default);
  }

  /** Handles a key. Returns the answer when the person has given one. */
  press(key: Key): FormAnswer | undefined {
    this.#note = '';
    const fields = this.#fields();
    const [name, field] = fields[this.#active] ?? [];
    const option = /^[1-9]$/.test(key) ? field?.oneOf[Number(key) - 1] : undefined;
    if (name !== undefined && option !== undefined) {
      this.#values.set(name, option.const);
      this.#active = Math.min(fields.length - 1, this.#active + 1);
    } else if (key === 'up' || key === 'k') this.#active = Math.max(0, this.#active - 1);
    else if (key === 'down' || key === 'j') this.#active = Math.min(fields.length - 1, this.#active + 1);
    else if (key === 'escape') return { action: 'cancel' };
    else if (key === 'r') return { action: 'decline' };
    else if (key === 'enter') {
      const open = fields.findIndex(([one]) => !this.#values.has(one));
      if (open < 0) return { action: 'accept', content: Object.fromEntries(this.#values) };
      this.#active = open;
      this.#note = 'Choose an option for each entry.';
    }
    return undefined;
  }

  lines(width: number, height: number): readonly string[] {
    const head = [...wrap(this.#form.message, width), ''];
    const fields = this.#fields().flatMap(([name, field], index) => {
      const mark = index === this.#active ? '>' : ' ';
      const options = field.oneOf.map(
        (option, at) =>
          `    ${this.#values.get(name) === option.const ? '*' : ' '} ${at + 1} ${safeTerminalLine(option.title)}`,
      );
      const about = (field.description ?? '') === '' ? [] : wrap(`${field.description}`, width - 4);
      return [`${mark} ${safeTerminalLine(field.title)}`, ...about.map(line => `    ${line}`), ...options];
    });
    const foot = ['', this.#note, '1–9 choose  Up/Down move  Enter continue  R Reject  Esc close'];
    const space = Math.max(1, height - foot.length);
    const body = [...head, ...fields];
    const at = body.findIndex(line => line.startsWith('>'));
    const top = Math.max(0, Math.min(body.length - space, at - Math.floor(space / 3)));
    return [...body.slice(top, top + space), ...foot].slice(0, height).map(line => fit(line, width).trimEnd());
  }

  #fields(): readonly [string, Form['requestedSchema']['properties'][string]][] {
    return Object.entries(this.#form.requestedSchema.properties);
  }
}
