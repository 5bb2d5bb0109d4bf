//! The figures of blocks that are kept.

use super::Content;

/// Blocks of one program in a file whose figures are kept: no more are ever compared, and a text of
/// 64 MiB may have a hundred thousand.
pub const MAX_BLOCKS: usize = 2000;

/// The number of blocks with figures, per program.
#[derive(Default)]
pub struct Store {
    counts: Vec<(&'static str, usize)>,
}

impl Store {
    /// The content as it is stored.
    pub fn keep(&mut self, mut content: Content) -> Content {
        let count = self.count(&content);
        *count += 1;
        let is_over = *count > MAX_BLOCKS;
        let observations = match &mut content {
            Content::Output(output) => {
                if is_over {
                    output.distributions = Vec::new();
                    output.remarks = Vec::new();
                }
                &mut output.observations
            }
            Content::Table(table) => &mut table.observations,
        };
        if is_over {
            *observations = Vec::new();
        }
        // Readers add figures one by one, and most outputs have few: unused room is given back.
        observations.shrink_to_fit();
        for observation in observations {
            observation.dimensions.shrink_to_fit();
        }
        content
    }

    fn count(&mut self, content: &Content) -> &mut usize {
        let tool = match content {
            Content::Output(output) => output.tool,
            Content::Table(_) => "table",
        };
        let index = match self.counts.iter().position(|(program, _)| *program == tool) {
            Some(index) => index,
            None => {
                self.counts.push((tool, 0));
                self.counts.len() - 1
            }
        };
        &mut self.counts[index].1
    }
}

#[cfg(test)]
mod tests {
    use super::super::blocks;
    use super::*;
    use crate::transport;

    #[test]
    fn figures_of_very_many_outputs_are_not_kept() {
        let output = "1073741824 bytes (1.1 GB) copied, 9.31 s, 115 MB/s\n\n";
        let shown = transport::read(output.repeat(MAX_BLOCKS + 2).as_bytes()).expect("a text");
        let found = blocks("text.txt", &shown);
        assert_eq!(found.len(), MAX_BLOCKS + 2);
        let with_figures = found.iter().filter(|block| match &block.content {
            Content::Output(output) => !output.observations.is_empty(),
            Content::Table(_) => false,
        });
        assert_eq!(with_figures.count(), MAX_BLOCKS);
    }
}
