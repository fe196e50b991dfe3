/**
 * Rows of the tables that the service does not answer as specified yet, by the name of their table. A ratchet: nothing is
 * added here, whoever mends a row strikes it out, and when the last one is gone this file goes too.
 */
export const openRows: Readonly<Record<string, readonly string[]>> = {
  asset: [
    'attribute.model_valid',
    'attribute.model_invalid_reason',
    'attribute.erb_file_content',
    'link.models',
    'link.model_history',
  ],
  project_asset: [
    'attribute.model_valid',
    'attribute.model_invalid_reason',
    'attribute.erb_file_content',
    'link.models',
    'link.model_history',
  ],
  model: ['attribute.data', 'attribute.sha256', 'attribute.created_at', 'attribute.render_logs', 'link.self'],
  endpoints: [
    'GET {asset}/models',
    'GET {asset}/models/{id}',
    'GET {asset}/model_history',
    'GET {asset}/model_history/{id}',
    'POST {asset}/models/generate',
  ],
  events: [
    'error:model:generate',
    'error:model:derive_actions',
    'error:model:actions_cache_not_persisted',
    'error:model_concretise_task:concretise',
    'warn:model:actions_unavailable',
    'warn:git_remote:mountable_fetch_failed',
  ],
}
