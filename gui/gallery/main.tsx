import '@fontsource-variable/inter/index.css'
import '@fontsource-variable/jetbrains-mono/index.css'
import '../styles/tokens.css'
import '../styles/base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { queryClient } from '../api/query-client.ts'
import { Gallery } from './gallery.tsx'

/**
 * Component gallery: a page for each folder of `gui/components` with all states of its components, for development
 * (`npm run gui`, then /gallery) and for the comparison of pictures. It is no part of the build that the service serves.
 */

const router = createRouter({
  routeTree: createRootRoute({ component: Gallery, notFoundComponent: Gallery }),
  // Links of components lead nowhere here.
  history: createMemoryHistory({ initialEntries: ['/?tab=timeline&part=schedules'] }),
})

createRoot(document.getElementById('root')!).render(
  <QueryClientProvider client={queryClient}>
    <RouterProvider router={router as never} />
  </QueryClientProvider>,
)
