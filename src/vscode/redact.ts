/** Secrets and personal data to keep out of the log, which users paste into bug reports. */
export interface Secrets {
  readonly home: string;
  readonly userName: string;
  /** Tokens of this session, as they become known. */
  readonly tokens: () => readonly string[];
}

/** Replaces tokens, `Authorization` and `token=` values, and shortens the home folder to `~`. Idempotent. */
export function redact(line: string, { home, userName, tokens }: Secrets): string {
  let text = line;
  for (const token of tokens()) if (token !== '') text = text.replaceAll(token, '<token>');
  text = text
    .replaceAll(/(authorization["']?\s*[:=]\s*["']?)(?:bearer\s+)?[^\s"',}]+/gi, '$1<token>')
    .replaceAll(/(bearer\s+)(?!<token>)[\w.~+/-]+=*/gi, '$1<token>')
    .replaceAll(/([?&](?:access_)?token=)[^&\s"']+/gi, '$1<token>');
  if (home.length > 1) {
    text = text.replaceAll(home, '~').replaceAll(home.replaceAll('\\', '\\\\'), '~').replaceAll(encodeURI(home), '~');
  }
  // A short user name would also match parts of ordinary paths.
  return userName.length >= 4
    ? text.replaceAll(new RegExp(`(?<=[\\\\/])${escape(userName)}(?=[\\\\/]|$)`, 'g'), '<user>')
    : text;
}

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
