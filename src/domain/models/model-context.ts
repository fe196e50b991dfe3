import type { JsonObject } from '#platform/documents/document.ts'
import type { Node } from '../nodes/index.ts'
import type { CommitInForce } from '../templates/index.ts'

/**
 * The `context` of a model: only values that cannot change while the commit stays the same. With a name, for example,
 * the model would become outdated without notice.
 */
export function contextOf(node: Pick<Node, 'id' | 'code' | 'path'>, now: CommitInForce): JsonObject {
  const [, , project, area, environment] = node.path.split('/')
  return {
    asset: { id: node.id, code: node.code, path: node.path },
    project: { code: project! },
    environment: area === 'environments' ? { code: environment! } : null,
    template: { code: now.templateCode },
    template_version: { version: now.version, commit_sha: now.commit },
  }
}
