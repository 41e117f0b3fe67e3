// Writes the icons of the Game view to media/classes, for light and dark themes. Run it after a change of the shapes.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ClassFamily, classFamilies } from '../src/game-view/class-family.ts';

type Color = 'gray' | 'blue' | 'teal' | 'green' | 'yellow' | 'orange' | 'red' | 'purple';

/** Each color has a contrast of at least 3:1 to the backgrounds of VS Code's themes. */
const palettes: Readonly<Record<'light' | 'dark', Readonly<Record<Color, string>>>> = {
  light: {
    gray: '#5f6670',
    blue: '#1a6fc4',
    teal: '#0f7c7c',
    green: '#2f7d32',
    yellow: '#8a6400',
    orange: '#b4530f',
    red: '#c23030',
    purple: '#7a45b8',
  },
  dark: {
    gray: '#a8b0ba',
    blue: '#6cb4f5',
    teal: '#4fc4c0',
    green: '#7fc97f',
    yellow: '#e0b84c',
    orange: '#f0975a',
    red: '#f07d7d',
    purple: '#c39af0',
  },
};

const page = '<path d="M4 1.5h5.5L13 5v9.5H4z"/><path d="M9.5 1.5V5H13"/>';
const cube = '<path d="M8 1.5 14 5v6.5L8 15l-6-3.5V5z"/><path d="M2 5l6 3.5L14 5M8 8.5V15"/>';

/** Shapes of 16 by 16 with lines in the color; `fill` fills a shape with it. */
const shapes: Readonly<Record<ClassFamily, readonly [Color, string]>> = {
  animation: [
    'purple',
    '<circle cx="10.5" cy="3" r="1.5"/><path d="M3 7.5 7.5 5.5l3 2 2.5-.5M7.5 5.5l-1 4 3 2-.5 3M6.5 9.5 3.5 13.5"/>',
  ],
  attachment: ['green', '<circle cx="8" cy="8" r="2" class="fill"/><path d="M8 1.5v3M8 11.5v3M1.5 8h3M11.5 8h3"/>'],
  camera: ['gray', '<path d="M1.5 4.5h8.5v7.5H1.5zM10 7.5l4.5-2.5v6.5L10 9z"/>'],
  character: ['orange', '<circle cx="8" cy="3.5" r="2"/><path d="M3.5 7h9M8 7v4M8 11l-3 3.5M8 11l3 3.5"/>'],
  effect: ['yellow', '<path d="M8 1.5 9.5 6.5 14.5 8 9.5 9.5 8 14.5 6.5 9.5 1.5 8 6.5 6.5z"/>'],
  event: ['orange', '<path d="M9 1.5 3.5 9H8l-1 5.5L12.5 7H8z"/>'],
  folder: ['yellow', '<path d="M1.5 3h4.5l1.5 2h7v8.5h-13z"/>'],
  frame: ['blue', '<path d="M1.5 2.5h13v11h-13zM1.5 5.5h13"/>'],
  function: ['orange', '<path d="M10.5 2.5c-2 0-2.5.5-2.8 2.5L6.5 11c-.4 2-.9 2.5-2.5 2.5M4.5 7h6"/>'],
  image: [
    'green',
    '<path d="M1.5 2.5h13v11h-13z"/><circle cx="5" cy="6" r="1.2"/><path d="M2 12.5 7 8.5l2.5 2 2-1.5 3 2.5"/>',
  ],
  instance: ['gray', '<path d="M3 3h10v10H3z"/><circle cx="8" cy="8" r="1" class="fill"/>'],
  joint: ['teal', '<circle cx="3.5" cy="8" r="2"/><circle cx="12.5" cy="8" r="2"/><path d="M5.5 8h5"/>'],
  light: ['yellow', '<path d="M5.5 10.5C3 8.5 3.5 2 8 2s5 6.5 2.5 8.5v1.5h-5zM6 14h4"/>'],
  'local-script': ['blue', `${page}<path d="M6.5 7.5v5l4-2.5z" class="fill"/>`],
  mesh: ['teal', '<path d="M8 1.5 14.5 13.5h-13zM8 1.5 6 13.5M4.7 7.5l9.8 6M3.2 10.5 11 7.5"/>'],
  model: [
    'purple',
    '<path d="M8 1.5l3 1.7v3.3L8 8 5 6.5V3.2zM4.5 8l3 1.7v3.3l-3 1.5-3-1.5V9.7zM11.5 8l3 1.7v3.3l-3 1.5-3-1.5V9.7z"/>',
  ],
  'module-script': ['purple', `${page}<path d="M6 8h5v4.5H6z" class="fill"/>`],
  part: ['teal', cube],
  prompt: ['red', '<path d="M1.5 2.5h13v8.5H8L4.5 14v-3h-3zM5 6.7h6"/>'],
  script: ['green', `${page}<path d="M6 7.5h5M6 9.7h5M6 12h3"/>`],
  service: [
    'gray',
    '<circle cx="8" cy="8" r="2.2"/><path d="M8 1.5v3M8 11.5v3M1.5 8h3M11.5 8h3M3.4 3.4l2.1 2.1M10.5 10.5l2.1 2.1M3.4 12.6l2.1-2.1M10.5 5.5l2.1-2.1"/>',
  ],
  sky: ['blue', '<path d="M4.5 12.5a3 3 0 0 1 0-6 4 4 0 0 1 7.5 0 3 3 0 0 1 0 6z"/>'],
  sound: ['red', '<path d="M1.5 6h3l4-3.5v11L4.5 10h-3zM10.5 5.5c1.5 1.5 1.5 3.5 0 5M12.5 3.5c2.5 2.5 2.5 6.5 0 9"/>'],
  team: ['red', '<path d="M3.5 1.5v13M3.5 2.5h9.5l-2 3 2 3H3.5"/>'],
  terrain: ['green', '<path d="M1.5 13.5 6 5l3 5 2-3 3.5 6.5z"/>'],
  text: ['blue', '<path d="M3 4V2.5h10V4M8 2.5v11M6 13.5h4"/>'],
  tool: ['orange', '<path d="M9.5 2 14 6.5l-2 2-1.5-1.5L4 13.5 2.5 12 9 5.5 7.5 4z"/>'],
  'ui-layout': ['gray', '<path d="M2 2.5h5v5H2zM9 2.5h5v5H9zM2 9.5h12v4H2z"/>'],
  value: ['gray', '<path d="M1.5 5 8.5 5l6 3-6 3h-7z"/><circle cx="9" cy="8" r="1" class="fill"/>'],
  workspace: ['blue', '<circle cx="8" cy="8" r="6.5"/><path d="M1.5 8h13M8 1.5c-4 4-4 9 0 13M8 1.5c4 4 4 9 0 13"/>'],
};

/** The icon of a family for one kind of theme. */
function drawIcon(family: ClassFamily, theme: 'light' | 'dark'): string {
  const [name, shape] = shapes[family];
  const color = palettes[theme][name];
  const body = shape.replaceAll('class="fill"', `fill="${color}"`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="${color}" stroke-width="1.2" stroke-linejoin="round" stroke-linecap="round">${body}</svg>\n`;
}

/** Every icon by its name in media/classes. */
export const classIcons = (): ReadonlyMap<string, string> =>
  new Map(
    classFamilies.flatMap(family =>
      (['light', 'dark'] as const).map(theme => [`${family}-${theme}.svg`, drawIcon(family, theme)] as const),
    ),
  );

if (import.meta.main) {
  const folder = join(import.meta.dirname, '../media/classes');
  mkdirSync(folder, { recursive: true });
  const icons = classIcons();
  for (const name of readdirSync(folder)) if (!icons.has(name)) rmSync(join(folder, name));
  for (const [name, icon] of icons) writeFileSync(join(folder, name), icon);
}
