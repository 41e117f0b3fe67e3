import { deadline } from '../../base/deadline.ts';
import { AppError } from '../../base/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import { RETRIEVAL_LIMITS } from '../../protocol/limits.ts';

/** Runs `work` with the time limit of searches. @throws AppError SEARCH_TIMEOUT; SEARCH_CANCELLED when `signal` aborts */
export async function withinBudget<T>(
  clock: Clock,
  signal: AbortSignal,
  work: (budget: AbortSignal) => Promise<T>,
): Promise<T> {
  const budgetMs = RETRIEVAL_LIMITS.searchMs;
  using limit = deadline(clock, signal, budgetMs, () => new AppError('SEARCH_TIMEOUT', { budgetMs }));
  try {
    return await work(limit.signal);
  } catch (error) {
    if (signal.aborted) throw new AppError('SEARCH_CANCELLED', { phase: 'searching' }, { cause: error });
    // An aborted search may throw anything; report the timeout.
    if (limit.signal.aborted) throw new AppError('SEARCH_TIMEOUT', { budgetMs }, { cause: error });
    throw error;
  }
}
