import { say } from '../base/sentence.ts';

/** Why an instance of Studio cannot be written to files. The parameters are the arguments of a `Reason`, in the order of the sentence. */
export const writeReasons = {
  no_project: () => say`no project is open, or its project file cannot be read`,
  no_pull: () => say`no pull was requested`,
  not_in_project: () => say`it is no longer in the project; sync again`,
  no_own_file: () => say`no file describes this instance alone`,
  nothing_differs: () => say`Studio sent no value that differs from the file`,
  scripts_only: (name: string, className: string) => say`the project syncs scripts only, and ${name} is a ${className}`,
  excluded_by_rules: (path: string) => say`${path} is excluded by "syncbackRules"`,
  excluded_folder_kept: (path: string) => say`${path} is excluded by "syncbackRules", so its folder is kept`,
  ignored_by_globs: (path: string) => say`${path} would be ignored: it matches "globIgnorePaths" of the project`,
  other_sync_rule: (path: string) =>
    say`${path} would be read as something else: one of the "syncRules" of the project matches it`,
  unknown_file_left: (path: string) =>
    say`${path} is not part of the project and would be left behind; move it, or remove the folder by hand`,
  contains_project: (file: string) => say`it contains a nested project, ${file}; remove that project by hand`,
  node_of_project: (file: string) => say`it is a node in ${file}; remove it from the project file by hand`,
  rename_in_project_file: (file: string) => say`its name is a key in ${file}; rename it there by hand`,
  move_in_project_file: (file: string) => say`${file} describes its place; move it there by hand`,
  move_breaks_path: (property: string) => say`the files name the target of ${property} by its path; move it by hand`,
  unsaved_in_editor: (path: string) => say`${path} has unsaved edits in the editor; save it, then sync again`,
  rename_by_hand: (name: string) => say`no file can have the name ${name}; rename it by hand on one side`,
  shared_name: (file: string) => say`${file} names several instances; give each a separate file first`,
  node_name_invalid: (file: string, name: string) => say`a node in ${file} cannot be named ${name}`,
  node_exists: (file: string, name: string) => say`${file} already has a node ${name} there; rename one of them`,
  not_a_project_folder: () => say`only a folder of the project file can become a script`,
  optional_path_missing: () =>
    say`the project has a node with this name whose optional "$path" does not exist; create that path first`,
  parent_has_no_folder: () => say`its parent has no folder`,
  parent_has_no_path: (file: string) =>
    say`its parent has no "$path" in ${file}, so there is no folder for the new file; add a "$path"`,
  parent_cannot_hold: (parent: string, file: string) =>
    say`its parent ${parent} is read from ${file}, which cannot contain children; add the instance by hand`,
  cannot_become_folder: (where: string) => say`cannot turn ${where} into a folder`,
  folder_exists: (where: string, folder: string) => say`cannot turn ${where} into a folder: ${folder} already exists`,
  cannot_have_children: (path: string, file: string) =>
    say`${path} cannot have children: no init file can replace ${file}; create a folder for it by hand`,
  has_init_file: (folder: string, className: string) =>
    say`${folder} has an init file already, so it cannot become a ${className}`,
  described_twice: (file: string, others: string) =>
    say`${file} and ${others} describe the same instance; merge them into one file first`,
  two_in_one_file: (path: string) => say`two instances map to the file ${path}; rename one of them`,
  removed_by_other: (path: string) => say`${path} is removed by another change`,
  file_changed: (path: string) => say`${path} changed on disk in the meantime; sync again`,
  file_malformed: (path: string, line: number, column: number, expected: string) =>
    say`${path}:${line}:${column} expected ${expected}`,
  layout_breaks: (file: string) => say`${file} cannot be edited without breaking its layout; edit it by hand`,
  source_not_utf8: (name: string) => say`the Source of ${name} is not valid UTF-8, so it cannot be written to a file`,
  own_source_not_utf8: () => say`its Source in Studio is not valid UTF-8, so it cannot be written to a file`,
  source_generated: (file: string) => say`its Source is generated from ${file}; change the values there`,
  other_class: (className: string, name: string, studioClass: string, studioName: string) =>
    say`it is the ${className} "${name}" on disk and the ${studioClass} "${studioName}" in Studio`,
  value_unreadable: (className: string, property: string, expected: string) =>
    say`cannot read the value of ${className}.${property}: expected ${expected}`,
  not_a_string: (className: string, property: string) => say`${className}.${property} is not a string in Studio`,
  text_unwritable: (className: string, property: string, path: string, expected: string) =>
    say`cannot write ${className}.${property} to ${path}: expected ${expected}`,
  not_storable: (className: string, property: string) => say`${className}.${property} cannot be stored in a file`,
  refers_to_studio: (className: string, property: string) =>
    say`${className}.${property} refers to an object that exists only in Studio; push or skip this change`,
  refers_to_no_file: (className: string, property: string) =>
    say`${className}.${property} refers to an instance that is in no file; pull that instance too, or skip this change`,
  model_too_deep: (levels: number) => say`it has more than ${levels} levels of instances that need one model file`,
  not_a_model: (file: string) => say`${file} is not a model file that can be written`,
  model_unreadable: (file: string, problem: string) => say`${file}: ${problem}`,
  model_unwritable: (file: string, problem: string) => say`cannot write ${file}: ${problem}`,
  update_invalid: () => say`invalid update`,
  instance_invalid: () => say`invalid instance`,
  value_invalid: (className: string, property: string, expected: string) =>
    say`invalid value of ${className}.${property}: expected ${expected}`,
  changed_on_both_sides: () => say`it changed on disk and in Studio`,
  unseen_in_studio: () =>
    say`its file changed on disk before Studio received the change; compare both sides with a sync`,
  delete_to_match: () => say`it was removed in Studio; delete its file to match`,
  rename_to_match: (name: string) => say`it was renamed to "${name}" in Studio; rename its file to match`,
  class_to_match: (className: string) => say`its class changed to ${className} in Studio; change its file to match`,
  parent_not_in_project: () => say`its parent is not in the project`,
  removed_on_disk: () => say`disk no longer has its file`,
  name_taken: () =>
    say`its parent has another instance with that name on disk; rename one of them, or compare them with a sync`,
  name_taken_twice: () => say`its parent has several children with that name on disk`,
  name_taken_by: (className: string) => say`its parent has a ${className} with that name on disk`,
  not_included: () => say`its files were written, but the project does not include them`,
  still_included: () => say`its files were removed, but the project still has it`,
  reads_other_name: () => say`its files were renamed, but the project reads another name from them`,
};
