import type * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import { createVirtualDocuments } from '../../vscode/virtual-documents.ts';
import type { AgentPlan } from '../agents/agent-connections.ts';
import { connectAgent, type ConnectAgentDeps, type ConnectChoice } from './connect-agent.ts';
import { createProject } from './create-project.ts';
import type { CreateFile } from '../write-new-project.ts';
import type { DoctorFinding } from './doctor.ts';
import { showFindings } from './doctor-list.ts';
import { openExample } from './open-example.ts';

export interface SetUpFlowsDeps extends ConnectAgentDeps {
  /** The folder for a new project file. */
  readonly folder: () => Promise<vscode.Uri | undefined>;
  /** Creates a file at an absolute path. */
  readonly createFile: CreateFile;
  /** The folder of the example that ships with the extension. */
  readonly example: vscode.Uri;
}

/** The commands of the set-up that ask questions. Loaded when the first of them runs. */
export interface SetUpFlows extends Disposable {
  connectAgent(choice: ConnectChoice): Promise<AgentPlan | undefined>;
  createProject(): Promise<string | undefined>;
  openExample(target: vscode.Uri | undefined): Promise<string | undefined>;
  showFindings(found: readonly DoctorFinding[]): Promise<void>;
}

export function createSetUpFlows(deps: SetUpFlowsDeps): SetUpFlows {
  const store = new DisposableStore();
  const documents = store.add(createVirtualDocuments('atlas-agent'));
  return {
    connectAgent: choice => connectAgent(deps, documents, choice),
    createProject: () => createProject(deps.folder, deps.createFile),
    openExample: target => openExample(deps.example, target),
    showFindings,
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}
