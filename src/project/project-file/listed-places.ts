import { err, ok, type Result } from '../../base/result.ts';
import {
  type JsonNode,
  type JsonProblem,
  memberOf,
  parseJsonDocument,
  positionIn,
} from '../../roblox/formats/json5-document.ts';

/** The places that a project file lists, read without loading the project. */
export interface ListedPlaces {
  readonly name: string;
  readonly servePlaceIds: readonly number[] | undefined;
  readonly blockedPlaceIds: readonly number[] | undefined;
  readonly placeId: number | undefined;
}

/** The places in a project file. */
export interface ProjectPlaces {
  /** Whether the project describes a place, not a model. */
  readonly isPlace: boolean;
  readonly places: ListedPlaces;
}

/**
 * Reads the places from the text of a project file. Fails if the text has a syntax error or no tree.
 *
 * @param fallback the name of a project without the field `name`
 */
export function placesOf(text: string, fallback: string): Result<ProjectPlaces, JsonProblem> {
  const read = parseJsonDocument(text);
  if (!read.ok) return read;
  const { root } = read.value;
  const tree = memberOf(root, 'tree')?.value;
  if (tree === undefined)
    return err({ ...positionIn(read.value, root.start), expected: 'a "tree" field in the project' });
  const name = memberOf(root, 'name')?.value;
  const className = memberOf(tree, '$className')?.value;
  return ok({
    isPlace: className?.kind === 'string' && className.value === 'DataModel',
    places: {
      name: name?.kind === 'string' ? name.value : fallback,
      servePlaceIds: idsOf(memberOf(root, 'servePlaceIds')?.value),
      blockedPlaceIds: idsOf(memberOf(root, 'blockedPlaceIds')?.value),
      placeId: idOf(memberOf(root, 'placeId')?.value),
    },
  });
}

const idOf = (node: JsonNode | undefined): number | undefined => (node?.kind === 'number' ? node.value : undefined);

const idsOf = (node: JsonNode | undefined): readonly number[] | undefined =>
  node?.kind === 'array' ? node.elements.flatMap(element => idOf(element) ?? []) : undefined;
