/** Parsers of TAP 14 and of the XML that JUnit readers accept, written for the tests alone. They fail on everything unexpected. */
import assert from 'node:assert/strict';

/** Every character that has an effect where a report is shown. */
export const EFFECTS = /(?![\t\n])[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** A text as a report shows it. */
export const shown = (text: string): string =>
  text.toWellFormed().replaceAll(/\r\n?/g, '\n').replaceAll(EFFECTS, '\uFFFD');

/** A name as a report shows it, on one line. */
export const shownLine = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\t\n]/g, ' ')
    .replaceAll(EFFECTS, '\uFFFD');

/** A shown text in XML, which has fewer characters. */
export const inXml = (text: string): string => text.replaceAll(/[\uFFFE\uFFFF]/g, '\uFFFD');

export interface TapPoint {
  readonly ok: boolean;
  readonly name: string;
  readonly isSkipped: boolean;
  readonly message?: string;
  readonly unavailable?: readonly string[];
  readonly ms?: number;
  readonly comments: readonly string[];
}

export function parseTap(report: string): readonly TapPoint[] {
  const [version, plan, ...lines] = report.split('\n');
  assert.equal(version, 'TAP version 14');
  const [, count] = /^1\.\.(\d+)$/.exec(plan ?? '') ?? assert.fail(plan);
  assert.equal(lines.pop(), '');
  const points: (TapPoint & { readonly comments: string[] })[] = [];
  while (lines.length > 0) {
    const line = lines.shift() ?? '';
    const comment = /^# (.*)$/.exec(line);
    if (comment !== null) {
      (points.at(-1) ?? assert.fail('a comment without a test')).comments.push(comment[1] ?? '');
      continue;
    }
    const [, not, number, escaped = '', skip] =
      /^(not )?ok (\d+) - ((?:\\[\\#]|[^\\#])*?)( # SKIP)?$/.exec(line) ?? assert.fail(line);
    assert.equal(Number(number), points.length + 1);
    const fields = new Map<string, unknown>();
    if (lines[0] === '  ---') {
      lines.shift();
      for (let field = lines.shift(); field !== '  ...'; field = lines.shift()) {
        const [, key = '', value = ''] = /^ {2}(\w+): (.*)$/.exec(field ?? '') ?? assert.fail(field);
        fields.set(key, key === 'severity' ? value : JSON.parse(value));
      }
    }
    points.push({
      ok: not === undefined,
      name: escaped.replaceAll(/\\([\\#])/g, '$1'),
      isSkipped: skip !== undefined,
      ...(fields.size > 0 && {
        message: String(fields.get('message')),
        unavailable: (fields.get('unavailable') ?? []) as readonly string[],
        ms: Number(fields.get('duration_ms')),
      }),
      comments: [],
    });
  }
  assert.equal(points.length, Number(count));
  return points;
}

export interface JunitCase {
  readonly suite: string;
  readonly classname: string;
  readonly name: string;
  readonly line: string;
  readonly isSkipped: boolean;
  readonly message: string | undefined;
  readonly output: string | undefined;
}

interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: Element[];
  text: string;
}

export function parseJunit(report: string): {
  readonly tests: number;
  readonly failures: number;
  readonly cases: readonly JunitCase[];
} {
  const root = parseXml(report);
  const of = (element: Element, key: string): string => element.attributes.get(key) ?? assert.fail(`no ${key}`);
  const child = ({ children }: Element, name: string): Element | undefined => {
    const found = children.filter(each => each.name === name);
    assert.ok(found.length <= 1, name);
    return found[0];
  };
  assert.equal(root.name, 'testsuites');
  const cases = root.children.flatMap(suite => {
    assert.equal(suite.name, 'testsuite');
    return suite.children.map(each => {
      assert.equal(each.name, 'testcase');
      const failure = child(each, 'failure');
      return {
        suite: of(suite, 'name'),
        classname: of(each, 'classname'),
        name: of(each, 'name'),
        line: of(each, 'line'),
        isSkipped: child(each, 'skipped') !== undefined,
        message: failure && of(failure, 'message'),
        output: child(each, 'system-out')?.text,
      };
    });
  });
  return { tests: Number(of(root, 'tests')), failures: Number(of(root, 'failures')), cases };
}

/** XML with elements, attributes and the five entities; no comments, sections or doctype, which a report never contains. */
function parseXml(text: string): Element {
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
  assert.ok(text.startsWith(declaration));
  const top: Element = { name: '', attributes: new Map(), children: [], text: '' };
  const open = [top];
  const token = /<\/([\w-]+)>|<([\w-]+)((?: [\w-]+="[^"<>]*")*)(\/?)>|([^<>]+)/y;
  token.lastIndex = declaration.length;
  while (token.lastIndex < text.length) {
    const from = token.lastIndex;
    const [, close, name, attributes = '', isEmpty, content] = token.exec(text) ?? assert.fail(text.slice(from));
    const parent = open.at(-1) ?? assert.fail('after the end');
    if (content !== undefined) parent.text += plain(content);
    else if (close !== undefined) assert.equal(open.pop()?.name, close);
    else {
      // Literal white space in an attribute is a space to every XML reader.
      const pairs = Array.from(attributes.matchAll(/ ([\w-]+)="([^"]*)"/g), ([, key = '', value = '']) => {
        return [key, plain(value.replaceAll(/[\t\n\r]/g, ' '))] as const;
      });
      const element: Element = { name: name ?? '', attributes: new Map(pairs), children: [], text: '' };
      parent.children.push(element);
      if (isEmpty === '') open.push(element);
    }
  }
  assert.equal(open.length, 1);
  return top.children[0] ?? assert.fail('no element');
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const plain = (text: string): string =>
  text.replaceAll(/&(?:#(\d+)|(\w*));?/g, (all, code: string | undefined, name: string | undefined) => {
    assert.ok(all.endsWith(';'), all);
    return code === undefined ? (entities[name ?? ''] ?? assert.fail(all)) : String.fromCodePoint(Number(code));
  });
