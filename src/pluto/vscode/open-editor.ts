import { DisposableStore } from '../../base/disposable-store.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { ContainerDocuments, type ContainerDocumentsDeps } from './container-documents.ts';
import { dimHints } from './dim-hints.ts';
import { FolderLanguages } from './folder-languages.ts';
import { registerLanguageFeatures } from './language-features.ts';
import { followDocuments } from './open-documents.ts';
import { type PlutoTestingDeps, registerPlutoTesting } from './testing-view.ts';

export interface PlutoEditorDeps
  extends Omit<ContainerDocumentsDeps, 'ask'>, Pick<PlutoTestingDeps, 'cli' | 'endProgram'> {
  /** The program of the language worker. */
  readonly worker: URL;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface PlutoEditor extends Disposable {
  readonly containers: ContainerDocuments;
}

/** Registers the language features. Loaded when the workspace has Pluto files. */
export function openPlutoEditor({ worker, clock, log, cli, endProgram, ...rest }: PlutoEditorDeps): PlutoEditor {
  const store = new DisposableStore();
  const languages = store.add(new FolderLanguages(worker, log));
  const containers = store.add(new ContainerDocuments({ ...rest, ask: languages.askWithoutFolder }));
  store.add(registerLanguageFeatures(languages));
  const tests = store.add(registerPlutoTesting({ cli, endProgram, languages: () => languages.started, log }));
  store.add(followDocuments(languages, clock, log, language => tests.refresh(language)));
  store.add(dimHints());
  return { containers, [Symbol.dispose]: () => store[Symbol.dispose]() };
}
