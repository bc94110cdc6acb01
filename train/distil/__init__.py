"""The judge taught by larger encoders: `train.distil.teach` asks them about every row, `train.distil.learn` makes the judge of
what they said. For whoever has a GPU (`make train-taught`); on two cores it takes days."""
