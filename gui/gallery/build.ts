import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { build } from 'vite'

/** Builds the component gallery into `.local/gui-gallery`, for the tests that compare its pictures. */
await build({
  configFile: false,
  root: import.meta.dirname,
  logLevel: 'warn',
  plugins: [react()],
  build: {
    outDir: join(import.meta.dirname, '../../.local/gui-gallery'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // All pages are one script: nobody waits for it.
    chunkSizeWarningLimit: 2_000,
  },
})
