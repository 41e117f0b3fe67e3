import type { Model, ModelInstance } from '../../../roblox/instances/model.ts';
import type { DesiredInstance } from '../desired.ts';

/** The desired state from a place file: one root with the services as children. The project sets the name of the root. */
export const desiredFromPlace = ({ roots }: Model): DesiredInstance => ({
  id: 'the place',
  name: '',
  className: 'DataModel',
  properties: new Map(),
  children: roots.map(desiredFromModel),
});

export const desiredFromModel = ({
  referent,
  name,
  className,
  properties,
  children,
}: ModelInstance): DesiredInstance => ({
  id: referent,
  name,
  className,
  properties,
  children: children.map(desiredFromModel),
});
