import * as vscode from 'vscode';
import { safeWindow, setPanelTitle } from '../../vscode/safe-window.ts';
import { deadline } from '../../base/deadline.ts';
import { DisposableStore } from '../../base/disposable-store.ts';
import { AppError } from '../../base/errors.ts';
import { safeLine } from '../../base/safe-text.ts';
import type { Translate } from '../../base/sentence.ts';
import type { Clock } from '../../ports/clock.ts';
import { logFailure } from '../../ports/log-failure.ts';
import { activeEditor } from '../../vscode/active-file.ts';
import type { Logger } from '../../ports/logger.ts';
import type { ReviewDrafts } from '../../ports/review-drafts.ts';
import type { ReviewControl, ReviewSurface, ReviewUpdate } from '../../ports/review-surface.ts';
import { BUDGET_MS } from '../../protocol/limits.ts';
import { isDone } from '../../protocol/sync-result.ts';
import { type ReviewOutcome, ReviewIntent, type ToWebview } from '../../protocol/review.ts';
import { commandIds } from '../../vscode/command-ids.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { personSentence } from '../../vscode/localization/person-sentence.ts';
import type { ReviewEditors } from './review-editors.ts';
import { reviewHtml } from './review-html.ts';
import { OpenReviews } from '../open-reviews.ts';
import { restoreStrings } from '../restore-strings.ts';
import { reviewStrings } from '../review-strings.ts';
import { plutoReviewStrings } from '../review-strings-pluto.ts';

export interface ReviewPanelDeps {
  readonly extensionUri: vscode.Uri;
  readonly clock: Clock;
  readonly log: Logger;
  readonly editors: Pick<ReviewEditors, 'open'>;
  readonly drafts: ReviewDrafts;
  /** Path of the storage folder of this window. A second window of the same workspace has another one. */
  readonly storage: string;
  /** Reads the outcome of the run whose review a restored page showed. */
  readonly readOutcome: (runId: string) => Promise<ReviewOutcome>;
  /** The active project, if the window serves several. */
  readonly project: () => string | undefined;
}

/** How long a reloaded window may take to release its run; until then it looks like another window. Also the polling interval. */
const RELOAD_GRACE_MS = 2_000;
const endedOutcome: ReviewOutcome = { isElsewhere: false, outcome: null };

const viewType = 'atlas.review';

function titleOf(review: ReviewControl, project: string | undefined): string {
  const title =
    review.status().restore === undefined ? vscode.l10n.t('Review Changes') : vscode.l10n.t('Review Restore');
  return project === undefined ? title : safeLine(`${title}: ${project}`);
}

/** A call that waits until the review is rendered. */
interface Waiting {
  readonly resolve: () => void;
  readonly renew: () => void;
}

/**
 * The review in an editor tab. The panel itself is stateless: closing it decides nothing, and reopening it shows the current state of the
 * review.
 */
export class ReviewPanel implements ReviewSurface, Disposable {
  readonly translate: Translate = vscode.l10n.t;
  readonly drafts: ReviewDrafts;
  /** Every review of this window is shown here first. */
  readonly open = new OpenReviews();
  readonly #deps: ReviewPanelDeps;
  readonly #lifetime = new DisposableStore();
  #panel: vscode.WebviewPanel | undefined;
  #review: ReviewControl | undefined;
  #subscription: Disposable | undefined;
  /** Revisions of the shown review that were sent to the current page. */
  readonly #sent = new Set<number>();
  /** The revision of the page; `undefined` if it needs a snapshot. */
  #lastSent: number | undefined;
  readonly #waiting = new Set<Waiting>();
  #lastSignal = 'created';
  #isAway = false;
  /** Counts the questions of restored pages about their review; only the latest one is answered. */
  #question = 0;

  constructor(deps: ReviewPanelDeps) {
    this.#deps = deps;
    this.drafts = deps.drafts;
    this.#lifetime.add(this.open);
    this.#lifetime.defer(() => this.#subscription?.[Symbol.dispose]());
    this.#lifetime.defer(() => this.#panel?.dispose());
    // After a reload, VS Code restores the page. It shows the outcome of its review, or the review that is open now.
    const serializer: vscode.WebviewPanelSerializer = { deserializeWebviewPanel: async panel => this.#restore(panel) };
    addDisposable(this.#lifetime, vscode.window.registerWebviewPanelSerializer(viewType, serializer));
    addDisposable(
      this.#lifetime,
      vscode.window.onDidChangeWindowState(({ focused }) => this.#refreshAfterAbsence(focused)),
    );
  }

  /** Opens the page without focus, because an agent may have started the review while the user types elsewhere. */
  async show(review: ReviewControl, signal: AbortSignal): Promise<void> {
    this.#attach(review);
    const { promise: rendered, resolve } = Promise.withResolvers<void>();
    const lateError = (): AppError =>
      new AppError('REVIEW_NOT_SHOWN', { lastSignal: this.#lastSignal, budgetMs: BUDGET_MS.rendered });
    using budget = deadline(this.#deps.clock, signal, BUDGET_MS.rendered, lateError);
    const ended = new Promise<never>((_, reject) => {
      const stop = (): void => reject(AppError.from(budget.signal.reason));
      if (budget.signal.aborted) stop();
      else budget.signal.addEventListener('abort', stop, { once: true });
    });
    const waiting = { resolve, renew: budget.renew };
    this.#waiting.add(waiting);
    try {
      this.#open({ preserveFocus: true });
      if (this.#panel !== undefined) setPanelTitle(this.#panel, titleOf(review, this.#deps.project()));
      this.#post();
      await Promise.race([rendered, ended]);
    } finally {
      this.#waiting.delete(waiting);
    }
  }

  /** Opens the page and focuses it, at the user's request. */
  async reveal(review: ReviewControl, signal: AbortSignal): Promise<void> {
    await this.show(review, signal);
    this.#panel?.reveal(undefined, false);
  }

  [Symbol.dispose](): void {
    this.#lifetime[Symbol.dispose]();
  }

  #attach(review: ReviewControl): void {
    this.open.add(review);
    if (this.#review === review) return;
    this.#subscription?.[Symbol.dispose]();
    this.#review = review;
    this.#sent.clear();
    this.#lastSent = undefined;
    this.#subscription = review.onDidChange(update => this.#post(update));
  }

  #restore(panel: vscode.WebviewPanel): void {
    // At most one review page per window.
    if (this.#panel !== undefined) panel.dispose();
    else this.#adopt(panel);
  }

  /** Compares again when the window gets the focus back, because the user may have edited in Studio. */
  #refreshAfterAbsence(focused: boolean): void {
    const wasAway = this.#isAway;
    this.#isAway = !focused;
    if (focused && wasAway && this.#panel !== undefined) this.#review?.refresh();
  }

  #open(options: { readonly preserveFocus: boolean }): void {
    if (this.#panel !== undefined) {
      if (!this.#panel.visible) this.#panel.reveal(undefined, options.preserveFocus);
      return;
    }
    const column = activeEditor() === undefined ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside;
    const panel = vscode.window.createWebviewPanel(
      viewType,
      vscode.l10n.t('Review Changes'),
      { viewColumn: column, preserveFocus: options.preserveFocus },
      { enableScripts: true },
    );
    this.#adopt(panel);
  }

  #adopt(panel: vscode.WebviewPanel): void {
    const { extensionUri, storage } = this.#deps;
    panel.webview.options = {
      enableScripts: true,
      localResourceRoots: ['dist', 'media'].map(name => vscode.Uri.joinPath(extensionUri, name)),
    };
    const media = (name: string): vscode.Uri => vscode.Uri.joinPath(extensionUri, 'media', name);
    panel.iconPath = { light: media('review-light.svg'), dark: media('review-dark.svg') };
    this.#panel = panel;
    this.#lastSignal = 'created';
    const alive = new DisposableStore();
    addDisposable(
      alive,
      panel.webview.onDidReceiveMessage((raw: unknown) => void this.#receive(raw)),
    );
    panel.onDidDispose(() => {
      alive[Symbol.dispose]();
      if (this.#panel === panel) this.#panel = undefined;
      this.#lastSignal = 'closed';
      this.#review?.setShownIn(undefined);
      this.#deps.log.debug('review closed');
    });
    const dist = (name: string): vscode.Uri => vscode.Uri.joinPath(extensionUri, 'dist', name);
    const files = { script: dist('review.js'), style: dist('review.css') };
    const { l10n, env } = vscode;
    const words = {
      studio: reviewStrings(l10n, env.language),
      pluto: plutoReviewStrings(l10n, env.language),
      restoredDisk: restoreStrings(l10n, env.language, 'disk'),
      restoredStudio: restoreStrings(l10n, env.language, 'studio'),
    };
    panel.webview.html = reviewHtml(panel.webview, files, words, storage);
  }

  #post(update?: ReviewUpdate): void {
    const review = this.#review;
    if (this.#panel === undefined || this.#lastSignal === 'created') return;
    if (review === undefined) return;
    const base = this.#lastSent;
    if (update?.rows !== undefined && base === update.status.revision - 1) {
      this.#sent.add(update.status.revision);
      this.#lastSent = update.status.revision;
      return this.#send({ kind: 'delta', base, status: update.status, rows: update.rows });
    }
    const snapshot = review.snapshot();
    this.#sent.add(snapshot.revision);
    this.#lastSent = snapshot.revision;
    this.#send({ kind: 'snapshot', snapshot });
  }

  #send(message: ToWebview): void {
    // A hidden page loses the message. It sends `ready` when it is shown again.
    this.#panel?.webview.postMessage(message).then(undefined, (error: unknown) => this.#deps.log.warn(String(error)));
  }

  /** Handles a message of the page. Never rejects: the page shows the failure. */
  async #receive(raw: unknown): Promise<void> {
    const intent = ReviewIntent.safeParse(raw);
    if (!intent.success) {
      this.#deps.log.warn('the review page sent an invalid message', { problem: intent.error.message });
      return;
    }
    try {
      await this.#apply(intent.data);
    } catch (error) {
      logFailure(this.#deps.log, 'a request of the review page failed', error, { kind: intent.data.kind });
      this.#send({ kind: 'failed', message: personSentence(AppError.from(error), vscode.l10n) });
      this.#post();
    }
  }

  async #apply(intent: ReviewIntent): Promise<void> {
    const review = this.#review;
    if (intent.kind === 'ready') {
      this.#lastSignal = 'ready';
      // Loading the page and rendering it may each take long in a busy window.
      for (const { renew } of this.#waiting) renew();
      this.#sent.clear();
      return review === undefined ? this.#sendOutcome(intent.runId) : this.#post();
    }
    if (intent.kind === 'reviewAgain') {
      const { view } = intent;
      void (view === undefined
        ? vscode.commands.executeCommand(commandIds.review)
        : vscode.commands.executeCommand(commandIds.syncPt, view));
      return;
    }
    if (review === undefined) return;
    switch (intent.kind) {
      case 'rendered':
        this.#lastSignal = 'rendered';
        review.setShownIn(vscode.workspace.name ?? vscode.env.appName);
        if (this.#sent.has(intent.revision)) for (const { resolve } of this.#waiting) resolve();
        return;
      case 'refresh':
        return review.refresh();
      case 'choose':
        return review.choose(intent.ids, intent.choice);
      case 'apply':
        return review.apply(intent.revision);
      case 'reject':
        return review.reject(intent.revision);
      case 'track':
        return review.track(intent.id, intent.property);
      case 'openDiff':
        return this.#openDiff(review, intent.id);
    }
  }

  /** Opens the texts of a change. Those of an ended review have expired: what it changed is in History. */
  async #openDiff(review: ReviewControl, id: string): Promise<void> {
    const { sides, phase, runId } = review.status();
    const column = this.#otherColumn();
    if (sides !== 'studio' || phase !== 'ended') return this.#deps.editors.open(review, id, column);
    const opened = isDone(review.row(id)?.outcome ?? undefined)
      ? await vscode.commands.executeCommand(commandIds.showRecordedDiff, { runId, change: { id } }, column)
      : await vscode.commands.executeCommand(commandIds.openChange, id, column);
    if (opened === undefined)
      void safeWindow.showInformationMessage(vscode.l10n.t('Both sides of this change are identical now.'));
  }

  /** Sends the outcome of an ended review. While another window has the review, polls until it has ended. */
  async #sendOutcome(runId: string | undefined): Promise<void> {
    const { clock, readOutcome } = this.#deps;
    const page = this.#panel;
    const question = (this.#question += 1);
    // Stop if a review was opened meanwhile, or if the page asked again after it was hidden.
    const isCurrent = (): boolean => this.#review === undefined && this.#panel === page && this.#question === question;
    let outcome = runId === undefined ? endedOutcome : await readOutcome(runId);
    let isElsewhereShown = false;
    while (runId !== undefined && outcome.isElsewhere && isCurrent()) {
      await new Promise<void>(resolve => void clock.after(RELOAD_GRACE_MS, resolve));
      outcome = await readOutcome(runId);
      if (isElsewhereShown || !outcome.isElsewhere || !isCurrent()) continue;
      isElsewhereShown = true;
      this.#send({ kind: 'ended', ...outcome });
    }
    if (isCurrent()) this.#send({ kind: 'ended', ...outcome });
  }

  /** The column beside the review, so that the diff does not cover it. */
  #otherColumn(): vscode.ViewColumn {
    const own = this.#panel?.viewColumn;
    return own === undefined || own === vscode.ViewColumn.One ? vscode.ViewColumn.Two : vscode.ViewColumn.One;
  }
}
