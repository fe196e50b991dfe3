import { json } from 'node:stream/consumers'
import { type CatalogueAction, catalogueAction, type Written } from './catalogue.ts'
import { ask, type ServiceAccess } from './service.ts'

/** The model actions of the step's asset, as the service knows them now. */
export async function stepCatalogue(
  { stepId, service }: { readonly stepId: string; readonly service: ServiceAccess },
  signal: AbortSignal,
): Promise<readonly CatalogueAction[]> {
  const { data } = (await ask(service, `/api/steps/${stepId}/catalogue`, {}, json, signal)) as {
    data: { attributes: { actions: Written[] } }
  }
  return data.attributes.actions.map(catalogueAction)
}
