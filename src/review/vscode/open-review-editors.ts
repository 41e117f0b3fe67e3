import type * as vscode from 'vscode';
import type { Logger } from '../../ports/logger.ts';
import { createDiffDocuments } from './diff-documents.ts';
import { createReviewEditors, type ReviewEditors } from './review-editors.ts';

/** Creates the editors of reviews, with the documents that they show. @param root the folder of the project */
export function openReviewEditors(root: () => vscode.Uri | undefined, log: Logger): ReviewEditors {
  const diffs = createDiffDocuments(root);
  const editors = createReviewEditors({ diffs, log });
  return {
    open: (...diff) => editors.open(...diff),
    [Symbol.dispose]() {
      editors[Symbol.dispose]();
      diffs[Symbol.dispose]();
    },
  };
}
