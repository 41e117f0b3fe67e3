import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../../src/base/errors.ts';
import { decideWithForms, type Form, type FormAnswer } from '../../../../src/review/decide-with-forms.ts';
import { reviewStrings } from '../../../../src/review/review-strings.ts';
import { main, mainFile, syncWorld, type WorldParts } from '../../../harness/sync-world.ts';
import { until } from '../../../harness/until.ts';

const common = 'local speed = 1\n\nlocal health = 2\n';
const merged = 'local speed = 10\n\nlocal health = 20\n';

/** An open review of a script that has changed on both sides. */
async function reviewed(studio = common.replace('health = 2', 'health = 20'), parts: WorldParts = {}) {
  const world = await syncWorld({
    files: { [mainFile]: common },
    place: { [main]: { className: 'Script', source: common } },
    git: 'none',
    ...parts,
  });
  await world.sync();
  world.files.set(mainFile, common.replace('speed = 1', 'speed = 10'));
  world.studio.edit(main, studio);
  const result = world.sync();
  await until(() => world.reviews.length > 0);
  const review = world.reviews.at(-1);
  assert.ok(review);
  const [row] = review.snapshot().rows;
  assert.ok(row);
  return { ...world, result, review, row };
}

test('shows a suggested merge undecided, and applies it to both sides when a person chooses it', async () => {
  const { review, row, result, files, studio } = await reviewed();
  assert.deepEqual([row.defaultSelection, row.choice], ['merge', null]);
  assert.ok(row.merge?.preview?.includes('+local health = 20'));
  review.choose([row.id], 'merge');
  review.apply(review.status().revision);
  assert.equal((await result).status, 'success');
  assert.equal(files.text(mainFile), merged);
  assert.equal(studio.source(main), merged);
});

test('opens a merge with all three texts and the result', async () => {
  const { review, row, result } = await reviewed();
  const { base, merged: shown } = await review.texts(row.id);
  assert.equal(base?.text, common);
  assert.equal(shown?.text, merged);
  review.reject(review.status().revision);
  await result;
});

test('chooses the merge when a person completes it without a change', async () => {
  const { review, row, result, files } = await reviewed();
  await review.texts(row.id);
  await review.merge(row.id, merged);
  assert.equal(review.row(row.id)?.choice, 'merge');
  assert.notEqual(files.text(mainFile), merged);
  review.apply(review.status().revision);
  assert.equal((await result).status, 'success');
  assert.equal(files.text(mainFile), merged);
});

test('offers no merge of a conflict, and opens it with markers that Luau reads as comments', async () => {
  const { review, row, result } = await reviewed(common.replace('speed = 1', 'speed = 3'));
  assert.equal(row.merge, undefined);
  assert.throws(() => review.choose([row.id], 'merge'), { code: 'REVIEW_REFUSED' });
  const { merged: shown } = await review.texts(row.id);
  assert.match(
    shown?.text ?? '',
    /^--<{7} Studio\nlocal speed = 3\n--\|{7} Base\nlocal speed = 1\n--={7}\nlocal speed = 10\n-->{7} Disk\n/,
  );
  review.reject(review.status().revision);
  await result;
});

test('offers a merge in forms only for changes that have one', async () => {
  for (const [studio, isOffered] of [
    [undefined, true],
    [common.replace('speed = 1', 'speed = 3'), false],
  ] as const) {
    const { review, result } = await reviewed(studio);
    const forms: Form[] = [];
    const show = async (form: Form): Promise<FormAnswer> => {
      forms.push(form);
      return { action: 'decline' };
    };
    await decideWithForms(
      review,
      reviewStrings({ t: (text: string) => text }, 'en'),
      show,
      new AbortController().signal,
    );
    const [field] = Object.values(forms[0]?.requestedSchema.properties ?? {});
    assert.equal(
      field?.oneOf.some(option => option.const === 'merge'),
      isOffered,
    );
    assert.equal(field?.description?.includes('+local health = 20'), isOffered);
    await result;
  }
});

test('says why a merge of a person cannot be written', async () => {
  const refusalOf = async ({ review, row }: Awaited<ReturnType<typeof reviewed>>, change: () => void) => {
    await review.texts(row.id);
    change();
    const { promise, resolve } = Promise.withResolvers<unknown>();
    review.merge(row.id, 'by hand\n').then(resolve, resolve);
    const error = await promise;
    return AppError.is(error, 'REVIEW_REFUSED') ? error.details.reason.code : error;
  };
  const onDisk = await reviewed();
  assert.equal(await refusalOf(onDisk, () => onDisk.files.set(mainFile, 'saved meanwhile\n')), 'file_changed');
  const inStudio = await reviewed();
  assert.equal(
    await refusalOf(inStudio, () => inStudio.studio.edit(main, 'typed meanwhile\n')),
    'studio_script_changed',
  );
  for (const world of [onDisk, inStudio]) {
    assert.equal(world.review.row(world.row.id)?.choice, null);
    world.review.reject(world.review.status().revision);
    await world.result;
  }
});
