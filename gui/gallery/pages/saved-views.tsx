import { ViewDialog } from '../../components/saved-views/view-dialog.tsx'

const ignore = () => {}

export function SavedViewsPage() {
  return <ViewDialog list="activities" query="status=error" onClose={ignore} onDone={ignore} />
}
