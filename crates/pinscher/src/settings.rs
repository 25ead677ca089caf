//! The settings that each question of the library takes.

/// Methods that set one of the settings, for a type with a field `settings`.
macro_rules! takes_settings {
    () => {
        /// Sets the engine that searches.
        #[must_use]
        pub fn engine(mut self, engine: planner::EngineKind) -> Self {
            self.settings.method.engine = engine;
            self
        }

        /// Sets how many threads search.
        #[must_use]
        pub fn threads(mut self, threads: usize) -> Self {
            self.settings.method.threads = threads;
            self
        }

        /// Sets how far the search goes.
        #[must_use]
        pub fn limits(mut self, limits: engine::Limits) -> Self {
            self.settings.limits = limits;
            self
        }

        /// Lets a token end the search, from any thread.
        #[must_use]
        pub fn cancel(mut self, token: &engine::CancelToken) -> Self {
            self.settings.cancel = token.clone();
            self
        }

        /// Sets a function that is told of progress, several times a second and from any thread.
        #[must_use]
        pub fn on_progress(mut self, listen: impl Fn(&engine::Progress) + Send + Sync + 'static) -> Self {
            self.settings = self.settings.heard_by(listen);
            self
        }

        /// Sets everything at once.
        #[must_use]
        pub fn settings(self, settings: planner::Settings) -> Self {
            Self { settings, ..self }
        }
    };
}

pub(crate) use takes_settings;
