import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runFromPalette } from './harness/palette.ts';
import { type ReviewWorld, reviewWorld } from './harness/review-world.ts';
import { until } from './harness/until.ts';

interface Box {
  getBoundingClientRect(): { readonly left: number };
}
let world: ReviewWorld;
let vscode: ReviewWorld['vscode'];
let review: ReviewWorld['review'];

before(async () => {
  world = await reviewWorld({}, undefined, { locale: 'de' });
  ({ vscode, review } = world);
});
after(() => world[Symbol.asyncDispose]());

test('a command has its German title in the palette; status bar and review speak German', async () => {
  await world.studio.run('Instance.new("Folder", game:GetService("ReplicatedStorage").Shared).Name = "what?"');
  await runFromPalette(vscode.page, 'Atlas: Änderungen durchsehen');
  await review.shown();
  await review.frame.getByText('Übertragen · die Datei ist neu auf Disk').first().waitFor();
  await vscode.page.locator('.statusbar-item', { hasText: 'Atlas: wartet auf Ihre Entscheidung' }).waitFor();
  await world.picture('german');
  // German words are longer: no control may reach out of its column over the reason beside it.
  const reachOut = await review.frame.locator('.choices > *').evaluateAll(
    controls =>
      controls.filter(control => {
        const { parentElement } = control as unknown as Box & { readonly parentElement: Box };
        return (
          (control as unknown as Box).getBoundingClientRect().left < parentElement.getBoundingClientRect().left - 1
        );
      }).length,
  );
  assert.equal(reachOut, 0);
});

test('what could not be done says so in German, with the names as they are', async () => {
  const choose = (name: string, choice: string): Promise<void> =>
    review.frame.locator(`[role="row"][aria-label*=" ${name} "] label:has(input[value="${choice}"])`).click();
  await choose('what?', 'pull');
  await choose('Shop', 'skip');
  await review.frame.getByRole('button', { name: 'Anwenden' }).click();
  const why = 'keine Datei kann "what?" heißen; benennen Sie die Instanz in Studio um';
  await review.frame.getByText(why).first().waitFor({ timeout: 30_000 });
  await vscode.page.locator('.notification-toast', { hasText: 'Der Abgleich gelang nur zum Teil' }).waitFor();
  await world.picture('german-outcome');
});

test('a problem of a project file is described in German', async () => {
  const file = join(world.project, 'src/shared/Broken.model.json');
  writeFileSync(file, '{\n  "className": 5\n}\n');
  const [found = ''] = await until('the problem', 30_000, async () => {
    const problems = await vscode.driver.call('problems', { path: file });
    return problems.length > 0 ? problems : undefined;
  });
  await vscode.driver.call('execute', { command: 'workbench.actions.view.problems', args: [] });
  await vscode.page.locator('.markers-panel', { hasText: 'Erwartet: ' }).waitFor();
  await world.picture('german-problems');
  assert.match(found, /Erwartet: .*Zeichenkette/);
});
