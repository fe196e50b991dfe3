import { json } from 'node:stream/consumers'
import { ask, type ServiceAccess } from './service.ts'

export interface SecretOptions {
  /** Length of a generated secret: 8 to 1024, default 32. */
  readonly length?: number
  /** Characters to generate it from; default: letters and digits. */
  readonly characters?: string
  /** Whether a missing secret is generated; with false it fails the step. */
  readonly make?: boolean
}

/** Secrets of the node that the change is on. Secrets that a step gets are masked in its log from then on. */
export interface Secrets {
  /**
   * The secret under a path and a key, such as `get('database', 'password')`: generated at random the first time, and
   * the same from then on. Properties refer to it as `secret://<path of the node>/database/password`.
   */
  get(path: string, key: string, options?: SecretOptions): Promise<string>
  /** Deletes it; does nothing if there is none. */
  remove(path: string, key: string): Promise<void>
  /** Deletes all secrets under the path. */
  removePath(path: string): Promise<void>
}

interface SecretsContext {
  readonly stepId: string
  readonly service: ServiceAccess
  /** Masks a text in the step's log; resolves when output written from then on is masked. */
  readonly hide: (text: string) => Promise<void>
}

export function stepSecrets({ stepId, service, hide }: SecretsContext, signal: AbortSignal): Secrets {
  const post = (what: string, attributes: object) =>
    ask(service, `/api/steps/${stepId}/${what}`, { body: { data: { attributes } } }, json, signal)
  return {
    get: async (path, key, options = {}) => {
      const { data } = (await post('secret', { path, key, ...options })) as { data: { attributes: { value: string } } }
      const { value } = data.attributes
      await hide(value)
      return value
    },
    remove: async (path, key) => void (await post('forget_secrets', { path, key })),
    removePath: async path => void (await post('forget_secrets', { path })),
  }
}
