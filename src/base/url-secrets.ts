/**
 * Removes what may be secret from the URLs in a text: user names and passwords, and the query and fragment, which can contain a token. A `?`
 * that ends a sentence remains.
 */
export const withoutSecrets = (text: string): string =>
  text
    .replaceAll(/([a-z][a-z0-9+.-]*:\/\/)[^/@\s'"]*@/gi, '$1')
    .replaceAll(/([a-z][a-z0-9+.-]*:\/\/[^\s'"?#]*)[?#][^\s'"]+/gi, '$1');
