/** Replaces `{0}`, `{1}` in `template` by `values`. */
export const fill = (template: string, ...values: readonly (string | number)[]): string =>
  template.replaceAll(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)] ?? ''));
