import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { docs } from './scripts/docs/plugin.ts'

/** `base: './'` and an iife worker: dist/ works from any subdirectory, and as one inlined file. */
export default defineConfig({
  root: 'web',
  publicDir: '../public',
  base: './',
  plugins: [react(), docs()],
  worker: { format: 'iife' },
  build: { outDir: '../dist', emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 1500 },
  test: {
    root: '.',
    testTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'unit', include: ['web/**/*.test.{ts,tsx}', 'cli/**/*.test.ts', 'scripts/**/*.test.ts'] } },
      { extends: true, test: { name: 'conformance', include: ['tests/conformance/**/*.test.ts'] } },
    ],
  },
})
