import type { Toolset } from './tool.ts';

const sync = `Atlas Bridge keeps two sides of one Roblox game in step: disk (the project files) and Studio (the place that is open in Roblox Studio). push means that disk wins and Studio is changed; pull means that Studio wins and files are changed.

Edit the files on disk, then call atlas_sync. It reports per change what really happened, and never overwrites work that it was not told about: when both sides changed, read Studio's text with get_script, merge, and sync again with an override that quotes studioHash. When the status is review_pending, a person is deciding: call operation_wait.`;

const docs = `The docs toolset reads folders of documentation, code and test harnesses, called roots. roots_list says which there are; scope chooses among them, and without it all are meant. Find your way with smart_search, find an exact text with search, then read with get_snippet or open_file. Every hit names root, path and line: cite them. Hidden and ignored files are left out. repo_status says how git roots stand; repo_sync alone touches the network, and only when it is called.`;

const pluto = `The pluto toolset reads and edits modules of the Pluto language. Address declarations by their ids, which survive every edit: find_declaration and list_declarations give them. Look with get_declaration, callers_of and error_set, then edit with add_declaration, replace_declaration or rename_declaration. Edits are in memory; each answers with what the checker thinks of it, and undo takes the latest one back. When check is clean, call save. Never write .pluto files yourself: they are containers. generate_pt writes .pt views for people, sync_pt brings their edits back.`;

/** What an agent is told of each toolset when it connects, before it sees a tool. */
export const instructions: { readonly [T in Toolset]: string } = { sync, docs, pluto };
