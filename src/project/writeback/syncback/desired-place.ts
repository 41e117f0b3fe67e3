import type { Model, ModelInstance } from '../../../roblox/instances/model.ts';
import type { Desired } from '../desired.ts';

/** A place file as what a project is to become: one root over its services. Its name is the project's to say. */
export const desiredPlace = ({ roots }: Model): Desired => ({
  id: 'the place',
  name: '',
  className: 'DataModel',
  properties: new Map(),
  children: roots.map(desiredFromModel),
});

export const desiredFromModel = ({ referent, name, className, properties, children }: ModelInstance): Desired => ({
  id: referent,
  name,
  className,
  properties,
  children: children.map(desiredFromModel),
});
