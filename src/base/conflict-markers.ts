/** Whether a text has conflict markers, as git writes them or as Luau comments. */
export const hasConflictMarkers = (text: string): boolean =>
  /^(?:--)?<{7}(?:\s|$)/m.test(text) && /^(?:--)?>{7}(?:\s|$)/m.test(text);
