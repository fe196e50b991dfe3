import { activityColumns } from '../../components/activity-table/activity-columns.tsx'
import { Table } from '../../components/table/table.tsx'
import styles from '../gallery.module.css'
import { activities } from '../samples.ts'
import { Specimen } from '../specimen.tsx'

export function ActivityTablePage() {
  return (
    <Specimen title="Changes and workflow runs" wide>
      <div className={styles['tall']}>
        <Table
          label="Activities"
          columns={{ all: activityColumns, shown: activityColumns, choose: () => {} }}
          rows={activities}
          keyOf={({ id }) => id}
          sort="-created_at"
          onSort={() => {}}
          narrowLines={2}
        />
      </div>
    </Specimen>
  )
}
