const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i;

/** Whether Windows opens a device instead of a file for this name, with any extension. */
export const isWindowsDevice = (name: string): boolean => device.test(name);
