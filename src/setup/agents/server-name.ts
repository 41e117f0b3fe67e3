export type JsonObject = { readonly [key: string]: unknown };

/** The name of Atlas Bridge's entry in the config file of a client. */
export const SERVER_NAME = 'atlas-bridge';
