import type { ShippedPackage } from '../third-party-notices.ts';

/** A bill of materials in CycloneDX 1.6, without a time or a random number: the same input has the same text. */
export function renderSbom(
  program: { readonly name: string; readonly version: string; readonly license: string },
  packages: readonly ShippedPackage[],
): string {
  const component = ({ name, version, license }: Pick<ShippedPackage, 'name' | 'version' | 'license'>) => {
    // A part inside another package has no version number and no address.
    const purl = /^\d/.test(version) ? `pkg:npm/${name.replace('@', '%40')}@${version}` : undefined;
    return {
      type: 'library',
      'bom-ref': purl ?? name,
      name,
      version,
      licenses: [{ license: { id: license } }],
      ...(purl !== undefined && { purl }),
    };
  };
  const { name, version, license } = program;
  const components = packages.map(component);
  const own = { ...component({ name, version, license }), type: 'application' };
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: own },
    components,
    dependencies: [{ ref: own['bom-ref'], dependsOn: components.map(one => one['bom-ref']) }],
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}
