import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig(({ mode }) => ({
  plugins: [react()],
  // The public folder has only MSW's worker, which other builds do not need.
  publicDir: mode === 'msw' || mode === 'reads' ? 'public' : false,
}))
