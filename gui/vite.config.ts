import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Serves the component gallery at /gallery as well; Vite itself knows only /gallery/. It is for development alone. */
const gallery = (): Plugin => ({
  name: 'gallery',
  apply: 'serve',
  configureServer: ({ middlewares }) => {
    middlewares.use('/gallery', ({ originalUrl }, response, next) => {
      if (originalUrl === '/gallery') response.writeHead(302, { location: '/gallery/' }).end()
      else next()
    })
  },
})

/**
 * Build of the web application into `.local/gui`, from which the service reads its pages. `npm run gui` serves the
 * sources with hot reload and forwards API requests to a running service (SLUICE_URL, by default http://127.0.0.1:7890).
 */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), gallery()],
  build: {
    outDir: '../.local/gui.new',
    emptyOutDir: true,
    // For the budgets in bytes.
    manifest: 'manifest.json',
    // Below this size Vite would inline files as data URLs, which the Content-Security-Policy refuses for fonts.
    assetsInlineLimit: 0,
    // Browsers of the last two years; older ones lack light-dark() and nested CSS.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
  },
  worker: { format: 'es' },
  // The folder `gui/api` is served at `/api` as well: its modules are not requests to the service.
  server: {
    proxy: {
      '^/(api|api-docs|metrics)(/(?!.*\\.tsx?(\\?|$))|$)': process.env['SLUICE_URL'] ?? 'http://127.0.0.1:7890',
    },
  },
})
