// The guides in Tackline.docc belong to this module, which is empty otherwise: a catalog has to lie in a target.
