import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig(({ mode }) => ({
  plugins: [react()],
  // MSW's worker is all there is in public, and no other build wants it.
  publicDir: mode === 'msw' ? 'public' : false,
}))
