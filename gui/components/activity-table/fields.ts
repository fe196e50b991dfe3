/** Attributes of activities that the columns of their table show. */
export const activityFields =
  'type,path,action,workflow_code,status_code,created_by,error_message,pause_state,created_at,started_at,finished_at,updated_at,metadata,scheduled'
