import type { Reader, Resource, Row } from './resource.ts'

/**
 * Links that lead to another record or document, with rights of its own → the path on which they are checked, derived
 * from the link's. All other links lead to the record itself or to lists below it, which readers of the record may
 * read.
 */
const elsewhere: Readonly<Record<string, (path: string) => string>> = {
  parent: itself,
  project: itself,
  owner: itself,
  asset: itself,
  agent: itself,
  template: itself,
  template_version: itself,
  workflow: itself,
  converged_properties: path => path.replace(/\/converged_properties$/, '/properties'),
}

function itself(path: string): string {
  return path
}

/** Decodes a path. Some links contain codes as they are, also with a % that encodes nothing. */
function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch (error) {
    if (error instanceof URIError) return path
    throw error
  }
}

/**
 * The links of a record that its reader can follow: a link to a record that they may not read would be answered by 404.
 */
export function shownLinks(resource: Resource, row: Row, { actor }: Reader): Record<string, string> {
  const links = resource.links(row)
  if (actor.rights.superuser) return links
  for (const [name, link] of Object.entries(links)) {
    const rightsPath = Object.hasOwn(elsewhere, name) && link.startsWith('/api/projects/') && elsewhere[name]
    if (rightsPath && !actor.rights.may('read', rightsPath(decoded(link.slice('/api'.length))))) delete links[name]
  }
  return links
}
