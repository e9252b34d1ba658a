import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import './style.css'

// Loaded only where it is wanted, so other builds have nothing of it.
if (import.meta.env.VITE_MOCK === 'msw') await import('./mock-worker.ts').then((mock) => mock.startMockWorker())

const root = document.getElementById('root')
if (!root) throw new Error('Failed to start: because index.html has no element with the id root.')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
