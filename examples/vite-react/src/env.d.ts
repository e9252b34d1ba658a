interface ViteTypeOptions {
  readonly strictImportMetaEnv: unknown
}

interface ImportMetaEnv {
  readonly VITE_API_URL: string
  readonly VITE_API_KEY: string
  readonly VITE_MOCK?: 'msw'
  readonly VITE_READS?: string
}
