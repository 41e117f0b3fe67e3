export const diskText = (name: string): string => `return "${name} on disk"\n${'-- disk\n'.repeat(200)}`;
export const studioText = (name: string): string => `return "${name} in Studio"\n${'-- Studio\n'.repeat(300)}`;
