import { useState } from 'react'
import { Splitter } from '../../components/split-pane/splitter.tsx'
import styles from '../gallery.module.css'
import { Specimen } from '../specimen.tsx'

export function SplitPanePage() {
  const [width, setWidth] = useState(140)
  return (
    <Specimen title="Two panes">
      <div
        className={styles['framed']}
        style={{ display: 'grid', gridTemplateColumns: `${width}px auto minmax(0, 1fr)`, blockSize: 80 }}
      >
        <span>Tree</span>
        <Splitter label="Width of the tree" value={width} minimum={80} maximum={260} onChange={setWidth} />
        <span>Page</span>
      </div>
    </Specimen>
  )
}
