import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import './style.css'

// Imported on demand, so that other builds do not contain it.
if (import.meta.env.VITE_MOCK === 'msw') {
  const mock = await import('./mock-worker.ts')
  await mock.startMockWorker()
  if (import.meta.env.VITE_READS) await mock.recordComponents()
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id root. Add one.')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
