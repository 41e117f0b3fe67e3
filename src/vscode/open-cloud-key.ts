import type { SecretStorage } from 'vscode';

const KEY = 'atlas.openCloudKey';

/** The API key of Open Cloud in VS Code's secret storage, with which places are published. */
export const openCloudKey = {
  read: async (secrets: Pick<SecretStorage, 'get'>): Promise<string | undefined> => secrets.get(KEY),
  store: async (secrets: Pick<SecretStorage, 'store'>, key: string): Promise<void> => secrets.store(KEY, key),
  forget: async (secrets: Pick<SecretStorage, 'delete'>): Promise<void> => secrets.delete(KEY),
};
