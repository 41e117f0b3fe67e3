/** Matches functions that load language data with their first call, which blocks their thread for 30 ms on a slow machine. */
const languageData = /\bIntl\.|\.(?:localeCompare|toLocale\w*String|toLocale(?:Lower|Upper)Case)\(/;

/** Finds lines that load language data, as `5: text`. */
export function findLanguageData(text: string): readonly string[] {
  return text
    .split('\n')
    .flatMap((line, index) => (languageData.test(line) ? [`${index + 1}: ${line.trim().slice(0, 120)}`] : []));
}
