export interface NodeInPath {
  readonly code: string
  /** Path of the node behind `/projects/`, which is also its address in the application. */
  readonly splat: string
}

/**
 * Nodes that a path leads through, the project first.
 *
 *     nodesInPath('/projects/bank/environments/live/assets/front') // bank, live, front
 */
export function nodesInPath(path: string): NodeInPath[] {
  const segments = path.replace(/^\/projects\//, '').split('/')
  return segments.flatMap((code, i) => (i % 2 === 0 ? [{ code, splat: segments.slice(0, i + 1).join('/') }] : []))
}

/** The last code of a path: `front`. */
export const nodeCode = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
